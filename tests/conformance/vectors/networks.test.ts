import { type Network, networkOf, prefixOf, rangesOf, shareOfInternet, subtract } from "../../../facts/networks";
import addresses from "../../support/vectors/addresses.json";
import sets from "../../support/vectors/network-sets.json";
import { conclude } from "../support/conclude";

/** Networks by their texts, null for invalid ones; and sets, with the numbers of all and of public addresses. */
interface Networks {
  readonly networks: Readonly<Record<string, string | null>>;
  readonly sets?: readonly {
    readonly sources: readonly string[];
    readonly allowed: readonly string[];
    readonly rest: Readonly<Record<"ipv4" | "ipv6", readonly string[]>>;
  }[];
}

const BITS = { ipv4: 32, ipv6: 128 } as const;
const PUBLIC_BITS = { ipv4: 32, ipv6: 125 } as const;

function wrongNetworks({ networks, sets = [] }: Networks): string[] {
  const texts = Object.entries(networks).flatMap(([text, expected]) => {
    const network = networkOf(text)?.text ?? null;
    return network === expected ? [] : `${JSON.stringify(text)} is ${network} instead of ${expected}`;
  });
  const rests = sets.flatMap(({ sources, allowed, rest }) =>
    (["ipv4", "ipv6"] as const).flatMap((family) => {
      const ranges = (list: readonly string[]) =>
        list.map((text) => rangesOf(networkOf(text) as Network)[family]).filter((range) => range !== undefined);
      const left = ranges(sources).flatMap((range) => subtract(range, ranges(allowed)));
      const [all = "", shown = ""] = rest[family];
      const [prefix, share] = [prefixOf(family, left), shareOfInternet(family, left)];
      const isRight =
        isClose(prefix, BITS[family] - Math.log2(Number(all))) &&
        isClose(share, Number(shown) / 2 ** PUBLIC_BITS[family]);
      return isRight
        ? []
        : `${family} of ${sources} without ${allowed}: /${prefix}, ${share} instead of ${all}, ${shown}`;
    }),
  );
  return [...texts, ...rests];
}

function isClose(one: number, other: number): boolean {
  return one === other || Math.abs(one - other) < 1e-9;
}

function casesOf({ networks, sets = [] }: Networks): number {
  return Object.keys(networks).length + sets.length;
}

test.each([
  ["reads networks as Go and Python do, and refuses what one of them refuses", addresses],
  ["counts the addresses of networks as Python does", sets],
])("%s", (_, material) => {
  conclude(material, casesOf(material), wrongNetworks(material));
});
