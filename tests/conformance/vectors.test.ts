import {
  type Family,
  type Network,
  networkOf,
  prefixOf,
  rangesOf,
  shareOfInternet,
  subtract,
} from "../../facts/networks";
import { parseResponse } from "../../provider/api/response";
import { canonicalNetwork } from "../../simulator/schema/shapes";
import addresses from "../support/vectors/addresses.json";
import { sets } from "../support/vectors/network-sets.json";
import { differences, materials } from "../support/vectors/retry-after.json";

/** Cases of other projects' tests; the files name their sources. */

test.each([
  ["the packages", (text: string) => networkOf(text)?.text],
  ["the simulator", canonicalNetwork],
])(
  "%s are parsed as networks like in Go and Python, or refused if either refuses them",
  (_, read) => {
    const networks = Object.keys(addresses.networks).map((text) => [text, read(text) ?? null]);
    expect(Object.fromEntries(networks)).toEqual(addresses.networks);
  },
);

const BITS = { ipv4: 32, ipv6: 128 };
const PUBLIC_BITS = { ipv4: 32, ipv6: 125 };

test.each(sets)(
  "the addresses of $sources without $allowed are counted like in Python",
  (networks) => {
    for (const family of ["ipv4", "ipv6"] as const) {
      const left = rangesIn(family, networks.sources).flatMap((range) =>
        subtract(range, rangesIn(family, networks.allowed)),
      );
      const [all, ofInternet] = networks.rest[family].map(Number) as [number, number];
      expect(prefixOf(family, left)).toBeCloseTo(BITS[family] - Math.log2(all), 9);
      expect(shareOfInternet(family, left)).toBeCloseTo(ofInternet / 2 ** PUBLIC_BITS[family], 9);
    }
  },
);

function rangesIn(family: Family, sources: readonly string[]) {
  const ranges = sources.map((source) => rangesOf(networkOf(source) as Network)[family]);
  return ranges.filter((range) => range !== undefined);
}

// Each header with the seconds that the other project waits, null where it only backs off.
test.each(materials)(
  "Retry-After is parsed like in $source, except for documented differences",
  ({ now, cases }) => {
    const deliberate = differences as Readonly<
      Record<string, { seconds: number | null; reason: string }>
    >;
    const expected = Object.entries<number | null>(cases).map(([header, seconds]) => {
      return [header, deliberate[header] ? deliberate[header].seconds : seconds] as const;
    });
    const read = expected.map(([header, seconds]) => {
      const { waitMs } = parseResponse(
        { status: 503, headers: { "retry-after": header }, body: "" },
        Date.parse(now),
        String,
      );
      // A wait of 0 seconds only backs off.
      const isBackOff = waitMs === undefined || (waitMs === 0 && seconds === null);
      return [header, isBackOff ? null : waitMs / 1000];
    });
    expect(read).toEqual(expected);
  },
);
