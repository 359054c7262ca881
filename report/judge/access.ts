import { isObject } from "./values";

/** The entries of an access list that let in everybody, or that do so together with its other networks. */
export function wideSources(list: unknown): string[] {
  const sources = (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const source = isObject(entry) ? entry.source : entry;
    return typeof source === "string" ? [source] : [];
  });
  return ["4", "6"].flatMap((family) => {
    const own = sources.filter((source) => source.includes(":") === (family === "6"));
    const share = own.reduce((sum, source) => sum + shareOf(source), 0);
    return share >= WIDE ? own.filter((source) => shareOf(source) >= WIDE / own.length) : [];
  });
}

/** Half of all addresses: `0.0.0.0/0`, or the halves that stand for it. */
const WIDE = 0.5;

/** The share of all addresses of its family that a network has. */
function shareOf(source: string): number {
  const [, prefix] = /\/(\d+)$/.exec(source) ?? [];
  return prefix === undefined ? 0 : 2 ** -Number(prefix);
}
