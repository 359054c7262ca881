import ipaddr from "ipaddr.js";

/** The network of an access entry: an address is its /32 or /128, host bits are masked. Other texts are themselves. */
export function networkOf(source: string): string {
  const [address = "", length] = source.split("/");
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!isAddress || (length !== undefined && !ipaddr.isValidCIDR(source))) return source;
  const family = address.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
  const bits = length ?? (family === ipaddr.IPv6 ? 128 : 32);
  return `${family.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}
