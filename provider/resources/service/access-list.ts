import { Address4, Address6 } from "ip-address";
import { z } from "zod";
import type { ListRules } from "../../fields";
import { description, listOf, record } from "../../fields/shapes";

interface AccessEntry {
  readonly source: string;
  readonly description?: string;
}

const SOURCE = "must be an IPv4 or IPv6 address or a network such as 203.0.113.0/24";

export const accessList = listOf(
  record({
    source: z.string(SOURCE).refine((source) => networkOf(source) !== undefined, SOURCE),
    description: description().optional(),
  }),
);

/** Two spellings of one network are the same entry. */
export const accessListRules: ListRules = {
  key: ({ source }: AccessEntry) => networkOf(source) ?? source,
  canonical: ({ source, description = "" }: AccessEntry) => ({ source: networkOf(source) ?? source, description }),
  send: "addRemove",
  unmanaged: "remove",
};

/** Cached, because each check and diff needs the same networks several times. */
const networks = new Map<string, string | undefined>();
const MOST_REMEMBERED = 10_000;

/** The network in canonical form: an address becomes its /32 or /128, and host bits are cleared. */
export function networkOf(source: string): string | undefined {
  if (!networks.has(source)) {
    if (networks.size === MOST_REMEMBERED) networks.clear();
    networks.set(source, parsedNetwork(source));
  }
  return networks.get(source);
}

function parsedNetwork(source: string): string | undefined {
  const Address = source.includes(":") ? Address6 : Address4;
  // A zone, as in `fe80::1%eth0`, names an interface of one machine; not every server accepts a length such as /024.
  if (/%|\/0\d/.test(source) || !Address.isValid(source)) return undefined;
  const network = new Address(source);
  return `${network.startAddress().correctForm()}/${network.subnetMask}`;
}
