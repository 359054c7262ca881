import { canonicalNetwork } from "./networks";

/** A request or response with all access entries as networks, as servers return them that store networks. */
export function withCanonicalAccessLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withCanonicalAccessLists);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === "ipAccessList" ? withNetworks(inner) : withCanonicalAccessLists(inner),
    ]),
  );
}

/** The value is a list of entries, or a change of one. */
function withNetworks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNetworks);
  if (typeof value !== "object" || value === null) return value;
  const { source, ...others } = value as Record<string, unknown>;
  if (typeof source === "string") return { ...others, source: canonicalNetwork(source) ?? source };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withNetworks(inner)]));
}
