import { networkOf } from "pulumi-clouddb-facts";
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
  key: ({ source }: AccessEntry) => networkOf(source)?.text ?? source,
  canonical: ({ source, description = "" }: AccessEntry) => ({
    source: networkOf(source)?.text ?? source,
    description,
  }),
  send: "addRemove",
  unmanaged: "remove",
  fromImportId: (source): AccessEntry | undefined => (networkOf(source) ? { source } : undefined),
};

export const privateEndpointRules: ListRules = {
  key: (id: string) => id,
  canonical: (id: string) => id,
  send: "addRemove",
  unmanaged: "remove",
  fromImportId: (id) => (id === "" ? undefined : id),
};
