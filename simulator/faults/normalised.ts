import { networkOf } from "../api/networks";

/** Access entries as a server has them that keeps networks: an address is its /32 or /128, host bits are masked. */

/** The same value with every `ipAccessList` in it normalised. */
export function normalisedEntries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalisedEntries);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === "ipAccessList" ? withNetworks(inner) : normalisedEntries(inner),
    ]),
  );
}

/** A list of entries, or a change of one. */
function withNetworks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNetworks);
  if (typeof value !== "object" || value === null) return value;
  const { source, ...others } = value as Record<string, unknown>;
  if (typeof source === "string") return { ...others, source: networkOf(source) ?? source };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNetworks(inner)]));
}
