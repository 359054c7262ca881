import { Address4, Address6 } from "ip-address";

export type Family = "ipv4" | "ipv6";

/** Addresses from the first, inclusive, to the second, exclusive. */
export type Range = readonly [from: bigint, to: bigint];

const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Networks of IPv6 addresses that embed an IPv4 address: compatible, mapped, translated (twice), and 6to4. */
const EMBEDDED = ["::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "2002::/16"].map(parseNetwork);

/** The addresses of both families that a network in canonical form allows. */
export function rangesOf(canonical: string): Partial<Record<Family, Range>> {
  const { family, first, length } = parseNetwork(canonical);
  if (family === "ipv4") return { ipv4: rangeOf(family, first, length) };
  const outer = EMBEDDED.find((each) => each.length >= length && isWithin(each.first, first, length));
  const inner = EMBEDDED.find((each) => each.length < length && isWithin(first, each.first, each.length));
  const ipv6 = rangeOf(family, first, length);
  // A supernet of such a network allows every IPv4 address, a subnet those of its next bits.
  if (outer !== undefined) return { ipv6, ipv4: rangeOf("ipv4", 0n, 0) };
  if (inner === undefined) return { ipv6 };
  const embedded = (first >> BigInt(BITS.ipv6 - inner.length - BITS.ipv4)) & 0xffffffffn;
  return { ipv4: rangeOf("ipv4", embedded, Math.min(length - inner.length, BITS.ipv4)) };
}

/** The prefix length of a network of as many addresses, with decimals: 7.4 is wider than a /8. */
export function prefixOf(family: Family, ranges: readonly Range[]): number {
  const count = union(ranges).reduce((sum, [from, to]) => sum + (to - from), 0n);
  return count === 0n ? Number.POSITIVE_INFINITY : BITS[family] - Math.log2(Number(count));
}

/** True if the ranges cover all addresses; for IPv6, all allocated ones, 2000::/3. */
export function coversInternet(family: Family, ranges: readonly Range[]): boolean {
  const all = family === "ipv4" ? rangeOf("ipv4", 0n, 0) : rangeOf("ipv6", 1n << 125n, 3);
  return subtract(all, ranges).length === 0;
}

/** The parts of a range that none of the others covers. */
export function subtract(range: Range, others: readonly Range[]): Range[] {
  let [from] = range;
  const rest: Range[] = [];
  for (const [start, end] of union(others)) {
    if (end <= from || start >= range[1]) continue;
    if (start > from) rest.push([from, start]);
    from = end;
  }
  return from < range[1] ? [...rest, [from, range[1]]] : rest;
}

/** Merge ranges into sorted ones that do not overlap. */
function union(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const [from, to] of [...ranges].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const last = merged.at(-1);
    if (last === undefined || from > last[1]) merged.push([from, to]);
    else if (to > last[1]) merged[merged.length - 1] = [last[0], to];
  }
  return merged;
}

function rangeOf(family: Family, first: bigint, length: number): Range {
  const size = 1n << BigInt(BITS[family] - length);
  const from = (first / size) * size;
  return [from, from + size];
}

function isWithin(address: bigint, network: bigint, length: number): boolean {
  const rest = BigInt(BITS.ipv6 - length);
  return address >> rest === network >> rest;
}

function parseNetwork(canonical: string): { readonly family: Family; readonly first: bigint; readonly length: number } {
  const isIpv6 = canonical.includes(":");
  const network = new (isIpv6 ? Address6 : Address4)(canonical);
  return { family: isIpv6 ? "ipv6" : "ipv4", first: network.bigInt(), length: network.subnetMask };
}
