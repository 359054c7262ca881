import { coded } from "../../errors";
import {
  byId,
  fieldsWith,
  flag,
  type Group,
  hasUnknown,
  isRecord,
  type ListRules,
  listOf,
  type Rule,
  record,
  settable,
  text,
  wholeNumber,
} from "../../fields";

const field = settable("updatePipe");

/** A secret that no response contains. It is sent when the program changes it. */
const secret = fieldsWith({ onChange: "update", sentWith: ["updatePipe"], secret: true });

const credentials = () =>
  secret(
    record({ username: text(), password: text() }),
    "The username and password that the pipe reads with. The API never returns them.",
    { fromEnvironment: "password" },
  );
const accessKey = () =>
  secret(
    record({ accessKeyId: text(), secretKey: text() }),
    "The access key that the pipe reads with. The API never returns it.",
    { fromEnvironment: "secretKey" },
  );
const iamRole = () => field(text(), "The IAM role that the pipe reads with.", { form: "locator" });

const idRules: ListRules = {
  ...byId,
  send: "whole",
  unmanaged: "remove",
};

interface TableMapping {
  readonly sourceSchemaName: string;
  readonly sourceTable: string;
  readonly targetTable: string;
  readonly excludedColumns?: readonly string[];
  readonly useCustomSortingKey?: boolean;
  readonly sortingKeys?: readonly string[];
}

const namesIn = ({ sourceSchemaName, sourceTable, targetTable }: TableMapping) => ({
  sourceSchemaName,
  sourceTable,
  targetTable,
});

const tableMappingRules: ListRules = {
  key: (mapping: TableMapping) => JSON.stringify(Object.values(namesIn(mapping))),
  canonical: (mapping: TableMapping) => ({
    ...namesIn(mapping),
    excludedColumns: [...(mapping.excludedColumns ?? [])].sort(),
    useCustomSortingKey: mapping.useCustomSortingKey ?? false,
    // Without `sortingKeys`, the server chooses the sorting key of a mapping.
    sortingKeys: mapping.useCustomSortingKey ? (mapping.sortingKeys ?? []) : [],
  }),
  send: "addRemove",
  bodyNames: { add: "tableMappingsToAdd", remove: "tableMappingsToRemove" },
  removalKey: namesIn,
  inTwoSteps: "Such a table leaves replication in between, and is copied anew.",
  unmanaged: "remove",
};

const kinds = {
  kafka: {
    description: "A Kafka source.",
    fields: {
      iamRole: iamRole(),
      caCertificate: field(
        text(),
        "The CA certificate that the brokers' certificates are verified with.",
        { form: "document" },
      ),
      reversePrivateEndpointIds: field(
        listOf(text()),
        "The IDs of the reverse private endpoints that reach the brokers.",
        { form: "id", list: idRules },
      ),
      credentials: credentials(),
    },
  },
  objectStorage: {
    description: "An object storage source.",
    fields: {
      iamRole: iamRole(),
      connectionString: secret(text(), "The connection string of the Azure storage account.", {
        fromEnvironment: true,
      }),
      path: field(text(), "The path of the objects inside the container."),
      azureContainerName: field(text(), "The name of the container in the Azure storage account."),
      accessKey: accessKey(),
    },
  },
  kinesis: {
    description: "A Kinesis source.",
    fields: { iamRole: iamRole(), accessKey: accessKey() },
  },
  postgres: {
    description: "A Postgres source.",
    fields: {
      host: field(text(), "The hostname of the database server.", { form: "locator" }),
      port: field(wholeNumber({ min: 1, max: 65_535 }), "The port of the database server."),
      database: field(text(), "The name of the database to read from."),
      credentials: credentials(),
      settings: {
        description: "How the source is read.",
        fields: {
          syncIntervalSeconds: field(wholeNumber(), "How often changes are fetched.", {
            unit: "seconds",
          }),
          pullBatchSize: field(wholeNumber(), "The maximum number of changes fetched at a time."),
        },
      },
      tableMappings: field(
        listOf(
          record({
            sourceSchemaName: text(),
            sourceTable: text(),
            targetTable: text(),
            excludedColumns: listOf(text()).optional(),
            useCustomSortingKey: flag().optional(),
            sortingKeys: listOf(text()).optional(),
          }),
        ),
        "The tables of the source, each with the table of the service that it is written to. This is the complete list: declaring it for the first time removes other mappings, which the preview names; once a refresh has found a mapping that was added outside of the program, the next `pulumi up` removes it. A changed mapping is removed and added again, and its table copied anew. A running pipe may refuse changes until it is paused, which this API cannot do.",
        { list: tableMappingRules },
      ),
    },
  },
} as const satisfies Record<string, Group>;

export const sourceGroup: Group<"updatePipe"> = {
  description:
    "Where the pipe reads from. At most one kind of source may be declared: the one that the pipe has. Arguments that are not declared are left unchanged.",
  observedAs: "currentSource",
  fields: {
    ...kinds,
    validateSamples: {
      schema: flag(),
      description:
        "Whether the API validates a changed source by reading samples from it. It is sent together with a change of the source.",
      onChange: "ignore",
      sentWith: ["updatePipe"],
    },
  },
};

const KINDS = Object.keys(kinds);

export const oneKind: Rule = {
  fields: ["source.kafka", "source.objectStorage", "source.kinesis", "source.postgres"],
  description: "At most one kind of source may be declared.",
  test: (values) => {
    const inputs = KINDS.filter((kind) => values[`source.${kind}`] !== undefined);
    const problem = coded(
      "CDB1011",
      `source is invalid: must declare at most one kind, but has ${inputs.join(" and ")};`,
      "keep the kind that the pipe has.",
    );
    return inputs.length > 1 && problem;
  },
};

const OTHER_KIND = "of a kind that this API does not have";

/** The kind of a source. An empty kind counts only if there is no other. */
function kindOf(source: unknown): string | undefined {
  const kinds = isRecord(source) ? source : {};
  const isKnown = (kind: string) => isRecord(kinds[kind]) && Object.keys(kinds[kind]).length > 0;
  return KINDS.find(isKnown) ?? KINDS.find((kind) => kinds[kind] !== undefined);
}

/**
 * The declared and current kinds of source, if different. The current one may not be in the
 * specification.
 */
export function otherKind(
  inputs: unknown,
  current: unknown,
): { inputs: string; current: string } | undefined {
  const ours = hasUnknown(isRecord(inputs) && Object.values(inputs)) ? undefined : kindOf(inputs);
  const theirs = kindOf(current) ?? (isRecord(current) ? OTHER_KIND : undefined);
  return ours && theirs && ours !== theirs ? { inputs: ours, current: theirs } : undefined;
}
