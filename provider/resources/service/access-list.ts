import ipaddr from "ipaddr.js";
import { z } from "zod";
import type { ListRules } from "../../fields";
import { listOf, record } from "../../fields/shapes";

interface AccessEntry {
  readonly source: string;
  readonly description?: string;
}

const SOURCE = "use an IPv4 or IPv6 address, or a network such as 203.0.113.0/24";

export const accessList = listOf(
  record({
    source: z.string(SOURCE).refine((source) => networkOf(source) !== undefined, SOURCE),
    description: z.string("use a text").optional(),
  }),
);

/** The addresses of one network are one entry, however they are spelled. */
export const accessListRules: ListRules = {
  key: ({ source }: AccessEntry) => networkOf(source) ?? source,
  canonical: ({ source, description = "" }: AccessEntry) => ({ source: networkOf(source) ?? source, description }),
  send: "addRemove",
  others: "removed",
};

/** The network in its one canonical spelling: an address alone is its /32 or /128, and host bits are masked. */
export function networkOf(source: string): string | undefined {
  try {
    const [address, prefix] = source.includes("/") ? ipaddr.parseCIDR(source) : withFullPrefix(ipaddr.parse(source));
    if (address.kind() === "ipv4" && !isDotted(source)) return undefined;
    const family = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
    return `${family.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`;
  } catch {
    return undefined;
  }
}

function withFullPrefix(address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** The parser also takes `127.1` and `0x7f.1`, which no access list should hold. */
function isDotted(source: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(source.replace(/\/.*$/, ""));
}
