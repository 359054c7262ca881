import { Address4, Address6 } from "ip-address";
import { formatValue, hasSecret, hasUnknown, isObject } from "./values";

/** Addresses from the first to before the second. */
type Range = readonly [from: bigint, to: bigint];

/** All public addresses of a family; half of them count as everyone. */
interface AddressSpace {
  readonly all: Range;
  /** The addresses of a network that belong to it. */
  readonly part: (network: Network) => Range | undefined;
}

interface Network {
  readonly family: "ipv4" | "ipv6";
  readonly range: Range;
}

const IPV4: Range = [0n, 1n << 32n];
/** All IPv6 addresses that are assigned: 2000::/3. */
const IPV6: Range = [1n << 125n, 1n << 126n];

/** IPv6 networks that embed IPv4 addresses (compatible, mapped, translated twice, 6to4), and the number of bits after them. */
const EMBEDDED = (
  [
    ["::", 0n],
    ["::ffff:0:0", 0n],
    ["::ffff:0:0:0", 0n],
    ["64:ff9b::", 0n],
    ["2002::", 80n],
  ] as const
).map(([prefix, behind]) => ({ first: new Address6(prefix).bigInt(), behind }));

const ADDRESS_SPACES: readonly AddressSpace[] = [
  { all: IPV4, part: ({ family, range }) => (family === "ipv4" ? range : embeddedIn(range)) },
  { all: IPV6, part: ({ family, range }) => (family === "ipv6" ? overlap(range, IPV6) : undefined) },
];

/** The entries of an access list that open it to everyone, alone or together with other entries. */
export function wideSources(list: unknown): string[] {
  const sources = sourcesIn(list).map((source) => ({ source, network: networkOf(source) }));
  const wide = ADDRESS_SPACES.flatMap(({ all, part }) => {
    const parts = sources.flatMap(({ source, network }) => {
      const range = network && part(network);
      return range ? [{ source, range }] : [];
    });
    const half = sizeOf(all) / 2n;
    if (sizeOfUnion(parts.map(({ range }) => range)) < half) return [];
    return parts.filter(({ range }) => sizeOf(range) * BigInt(parts.length) >= half).map(({ source }) => source);
  });
  return [...new Set(wide)];
}

/** Warnings about the access list of a new service. */
export function accessWarnings(list: unknown): string[] {
  const wide = wideSources(list);
  const open = wide.length > 0 ? [`is open to everyone through ${wide.map(formatValue).join(", ")}`] : [];
  return [...open, ...unknownAccess(list)];
}

function unknownAccess(list: unknown): string[] {
  if (hasUnknown(list)) return ["gets access entries that are not known yet"];
  return hasSecret(list) ? ["gets secret access entries, which cannot be checked"] : [];
}

function sourcesIn(list: unknown): string[] {
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const source = isObject(entry) ? entry.source : entry;
    return typeof source === "string" ? [source.trim()] : [];
  });
}

/** An address or a network; anything else allows no access. */
export function networkOf(source: string): Network | undefined {
  const isIpv6 = source.includes(":");
  const Address = isIpv6 ? Address6 : Address4;
  if (/%|\/0\d/.test(source) || !Address.isValid(source)) return undefined;
  const network = new Address(source);
  const range: Range = [network.startAddress().bigInt(), network.endAddress().bigInt() + 1n];
  return { family: isIpv6 ? "ipv6" : "ipv4", range };
}

/** The IPv4 addresses of an IPv6 network: a network is inside an embedding network, contains it, or is separate. */
function embeddedIn(range: Range): Range | undefined {
  for (const { first, behind } of EMBEDDED) {
    const found = overlap(range, [first, first + (IPV4[1] << behind)]);
    if (found) return [(found[0] - first) >> behind, ((found[1] - first - 1n) >> behind) + 1n];
  }
  return undefined;
}

function overlap(one: Range, other: Range): Range | undefined {
  const from = one[0] > other[0] ? one[0] : other[0];
  const to = one[1] < other[1] ? one[1] : other[1];
  return from < to ? [from, to] : undefined;
}

function sizeOf([from, to]: Range): bigint {
  return to - from;
}

function sizeOfUnion(ranges: readonly Range[]): bigint {
  let [size, end] = [0n, 0n];
  for (const [from, to] of [...ranges].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (to > end) size += to - (from > end ? from : end);
    if (to > end) end = to;
  }
  return size;
}
