import ipaddr from "ipaddr.js";

/** The network of an access entry: an address is its /32 or /128, host bits are masked. Nothing for other texts. */
export function networkOf(source: string): string | undefined {
  const family = source.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
  const network = source.includes("/") ? source : `${source}/${family === ipaddr.IPv6 ? 128 : 32}`;
  if (!isWritten(network)) return undefined;
  const [, bits] = family.parseCIDR(network);
  return `${family.networkAddressFromCIDR(network)}/${bits}`;
}

/** Neither `127.1` nor an address with a zone, which means something on one machine only. */
function isWritten(network: string): boolean {
  if (network.includes("%")) return false;
  return network.includes(":") ? ipaddr.IPv6.isValidCIDR(network) : ipaddr.IPv4.isValidCIDRFourPartDecimal(network);
}
