import { isIPv4 } from "node:net";
import { Address4, Address6 } from "ip-address";
import { isRecord } from "./values";

export type Family = "ipv4" | "ipv6";

/** Addresses from the first to before the second. */
export type Range = readonly [from: bigint, to: bigint];

export class Network {
  /** The canonical form: an address gets /32 or /128, and host bits are cleared. */
  readonly text: string;
  /**
   * True for an address such as `0.0.0.0` or `::` that means every address. Its range contains all.
   */
  readonly isWildcard: boolean;
  /** The binary logarithm of the number of addresses. */
  readonly hostBits: number;
  private knownRange: Range | undefined;

  constructor(
    readonly family: Family,
    private readonly host: string,
    length: number,
  ) {
    const bits = BITS[family];
    const isAddress = length === bits;
    this.isWildcard = isAddress && WILDCARDS[family].includes(host);
    this.hostBits = this.isWildcard ? bits : bits - length;
    const first = isAddress ? host : ADDRESSES[family].fromBigInt(this.range[0]).correctForm();
    this.text = `${first}/${length}`;
  }

  /** The addresses that it allows. Lazy: most entries are addresses, which are only compared. */
  get range(): Range {
    if (this.knownRange) return this.knownRange;
    const address = new ADDRESSES[this.family](this.host).bigInt();
    const size = 1n << BigInt(this.hostBits);
    const from = address - (address % size);
    this.knownRange = [from, from + size];
    return this.knownRange;
  }
}

/**
 * Cached, because each check and diff needs the same networks repeatedly. Sized for a list of
 * 100,000.
 */
const networks = new Map<string, Network | undefined>();
const MOST_REMEMBERED = 150_000;

/** Parses an address or a network. Other texts allow no access. */
export function networkOf(source: string): Network | undefined {
  const known = networks.get(source);
  if (known !== undefined || networks.has(source)) return known;
  if (networks.size === MOST_REMEMBERED) networks.clear();
  const family = source.includes(":") ? "ipv6" : "ipv4";
  const parsed = family === "ipv6" ? parseIpv6(source) : parseIpv4(source);
  const network = parsed && new Network(family, ...parsed);
  networks.set(source, network);
  return network;
}

/** Without Address4, which takes several times as long: most networks are IPv4. */
function parseIpv4(source: string): readonly [host: string, length: number] | undefined {
  const [, host = "", length = "32"] = /^([\d.]+)(?:\/(\d|[1-9]\d))?$/.exec(source) ?? [];
  return isIPv4(host) && Number(length) <= BITS.ipv4 ? [host, Number(length)] : undefined;
}

function parseIpv6(source: string): readonly [host: string, length: number] | undefined {
  // A zone, as in `fe80::1%eth0`, names an interface of one machine. Some servers reject lengths
  // such as /024.
  if (/%|\/0\d/.test(source)) return undefined;
  try {
    const address = new Address6(source);
    return [address.correctForm(), address.subnetMask];
  } catch {
    return undefined;
  }
}

const ADDRESSES = { ipv4: Address4, ipv6: Address6 };
const BITS = { ipv4: 32, ipv6: 128 } as const;
const ALL_IPV4: Range = [0n, 1n << 32n];
/** All public addresses. For IPv6, the allocated ones: 2000::/3. */
const INTERNET: Readonly<Record<Family, Range>> = {
  ipv4: ALL_IPV4,
  ipv6: [1n << 125n, 1n << 126n],
};

/**
 * IPv6 networks that embed IPv4 addresses (compatible, mapped, translated twice, 6to4), with the
 * number of bits after the address.
 */
const EMBEDDED = (
  [
    [0n, 0n], // ::/96
    [0xffffn << 32n, 0n], // ::ffff:0:0/96
    [0xffffn << 48n, 0n], // ::ffff:0:0:0/96
    [0x64ff9bn << 96n, 0n], // 64:ff9b::/96
    [0x2002n << 112n, 80n], // 2002::/16
  ] as const
).map(([first, behind]) => ({ outer: [first, first + (1n << (32n + behind))] as const, behind }));

const WILDCARDS: Readonly<Record<Family, readonly string[]>> = {
  ipv4: ["0.0.0.0"],
  ipv6: EMBEDDED.map(({ outer }) => Address6.fromBigInt(outer[0]).correctForm()),
};

/** The allowed addresses of both families. An embedded IPv4 address counts as IPv4. */
export function rangesOf({
  family,
  range,
}: Pick<Network, "family" | "range">): Partial<Record<Family, Range>> {
  if (family === "ipv4") return { ipv4: range };
  // A network is inside of an embedding network, equal to it, wider, or separate.
  const embedding = EMBEDDED.find(({ outer }) => outer[0] < range[1] && range[0] < outer[1]);
  if (embedding === undefined) return { ipv6: range };
  const { outer, behind } = embedding;
  if (range[0] < outer[0] || range[1] > outer[1]) return { ipv4: ALL_IPV4, ipv6: range };
  return { ipv4: [(range[0] - outer[0]) >> behind, ((range[1] - outer[0] - 1n) >> behind) + 1n] };
}

/**
 * An access list that allows at least this share of the internet, with all its entries, is open to
 * everyone.
 */
export const OPEN_SHARE = 0.5;

/** The share of all public addresses of a family that ranges contain, from 0 to 1. */
export function shareOfInternet(family: Family, ranges: readonly Range[]): number {
  const [from, to] = INTERNET[family];
  return Number(countIn([from, to], ranges)) / Number(to - from);
}

/** The prefix length of a network of equal size. May have decimals: 7.4 is wider than a /8. */
export function prefixOf(family: Family, ranges: readonly Range[]): number {
  return BITS[family] - Math.log2(Number(countIn([0n, 1n << BigInt(BITS[family])], ranges)));
}

/** The parts of a range outside of other ranges. */
export function subtract([from, to]: Range, others: readonly Range[]): Range[] {
  const rest: Range[] = [];
  let next = from;
  for (const [start, end] of [...others].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (start >= to) break;
    if (start > next) rest.push([next, start]);
    if (end > next) next = end;
  }
  return next < to ? [...rest, [next, to]] : rest;
}

/** The number of a range's addresses in other ranges, without double counting. */
function countIn(range: Range, others: readonly Range[]): bigint {
  const size = ([from, to]: Range) => to - from;
  return subtract(range, others).reduce((count, rest) => count - size(rest), size(range));
}

/** The entries that open an access list to everyone, alone or together. */
export function wideSources(list: unknown): string[] {
  const networks = sourcesIn(list).flatMap((source) => {
    const network = networkOf(source);
    return network ? [{ source, network }] : [];
  });
  // A fast upper bound, which ignores overlaps: most lists are too narrow. An IPv6 network allows
  // at most the share of an IPv4 network with equal host bits.
  const most = networks.reduce((sum, { network }) => sum + 2 ** (network.hostBits - BITS.ipv4), 0);
  if (most < OPEN_SHARE) return [];
  const allowed = networks.map(({ source, network }) => ({ source, ...rangesOf(network) }));
  const wide = (["ipv4", "ipv6"] as const).flatMap((family) => {
    const shareOf = (entries: typeof allowed) =>
      shareOfInternet(
        family,
        entries.flatMap(({ [family]: range }) => (range ? [range] : [])),
      );
    const entries = allowed.filter((entry) => entry[family]);
    if (shareOf(entries) < OPEN_SHARE) return [];
    return entries.filter((entry) => shareOf([entry]) * entries.length >= OPEN_SHARE);
  });
  return [...new Set(wide.map(({ source }) => source))];
}

/** The texts in a list of access entries or IDs. */
export function sourcesIn(list: unknown): string[] {
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const source = isRecord(entry) ? entry.source : entry;
    return typeof source === "string" ? [source.trim()] : [];
  });
}
