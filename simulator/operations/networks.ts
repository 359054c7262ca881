import ipaddr from "ipaddr.js";

/** The network of an access entry: an address becomes its /32 or /128, host bits are masked. Undefined for other texts. */
export function canonicalNetwork(source: string): string | undefined {
  const family = source.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
  const network = source.includes("/") ? source : `${source}/${family === ipaddr.IPv6 ? 128 : 32}`;
  if (!isValidNetwork(network)) return undefined;
  const [, bits] = family.parseCIDR(network);
  return `${family.networkAddressFromCIDR(network)}/${bits}`;
}

/** Refuses `127.1`, and addresses with a zone, which have a meaning on one machine only. */
function isValidNetwork(network: string): boolean {
  if (network.includes("%")) return false;
  return network.includes(":") ? ipaddr.IPv6.isValidCIDR(network) : ipaddr.IPv4.isValidCIDRFourPartDecimal(network);
}
