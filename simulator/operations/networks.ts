import { Address4, Address6 } from "ip-address";

/**
 * The network of an access entry: an address becomes its /32 or /128, host bits are masked. Undefined for other texts,
 * for addresses with a zone, which names an interface of one machine, and for lengths that begin with a zero.
 */
export function canonicalNetwork(source: string): string | undefined {
  const Address = source.includes(":") ? Address6 : Address4;
  if (/%|\/0\d/.test(source) || !Address.isValid(source)) return undefined;
  const network = new Address(source);
  return `${network.startAddress().correctForm()}/${network.subnetMask}`;
}

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
