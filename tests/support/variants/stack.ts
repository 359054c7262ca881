import { fakeClock, startProcess } from "../../contract/support";
import type { Server } from "../../faults/model/server";
import type { Properties, ResourceType } from "../adapters/handlers";
import { shown } from "../adapters/values";
import { type Command, runProgram, runRefresh } from "../engine/command";
import { runInOrder } from "../engine/resource";
import { findByName, nameIn, type Stack, typeIn } from "../engine/state";
import { EXAMPLE, table } from "../example";
import { pick, type Random } from "./edits";
import { SECRETS } from "./variants";

/** A stack that covers every resource type, run by the real handlers. */

export const { service: ADOPTED, pipes: PIPES } = EXAMPLE;

export type Name =
  | "created"
  | "adopted"
  | "organization"
  | "kafka"
  | "objectStorage"
  | "kinesis"
  | "postgres";
export type Program = Readonly<Partial<Record<Name, Properties>>>;

const resourceTypes: Readonly<Record<Name, ResourceType>> = {
  created: "Service",
  adopted: "Service",
  organization: "Organization",
  kafka: "Pipe",
  objectStorage: "Pipe",
  kinesis: "Pipe",
  postgres: "Pipe",
};
export const NAMES = Object.keys(resourceTypes) as Name[];

const [OFFICE, BUILD, HOME] = [
  { source: "203.0.113.0/24", description: "office" },
  { source: "198.51.100.7", description: "build" },
  { source: "2001:DB8:0::/32", description: "home" },
];
const pipeArgs = (pipeId: string, args: Properties): Properties => ({
  serviceId: ADOPTED,
  pipeId,
  ...args,
});

export const first: Program = {
  created: {
    name: "analytics",
    numReplicas: 3,
    ipAccessList: [OFFICE, BUILD, HOME],
    privateEndpointIds: ["vpce-0a1b2c3d4e5f60001", "vpce-0a1b2c3d4e5f60002"],
    endpoints: [{ protocol: "mysql", enabled: true }],
  },
  adopted: {
    existingServiceId: ADOPTED,
    name: "reporting",
    encryptionKey: SECRETS.encryptionKey,
    ipAccessList: [OFFICE],
  },
  organization: { name: "two", privateEndpoints: [{ id: "vpce-8", description: "the build" }] },
  kafka: pipeArgs(PIPES.kafka, {
    settings: { engineMaxThreads: 4 },
    source: { kafka: { credentials: { username: "reader", password: SECRETS.kafka } } },
  }),
  objectStorage: pipeArgs(PIPES.objectStorage, {
    settings: { engineMaxThreads: 4 },
    source: { objectStorage: { connectionString: SECRETS.azure } },
  }),
  kinesis: pipeArgs(PIPES.kinesis, { settings: { engineMaxThreads: 4 } }),
  postgres: pipeArgs(PIPES.postgres, {
    settings: { engineMaxThreads: 4 },
    source: { postgres: { tableMappings: [table("customers"), table("orders")] } },
  }),
};

const more = (name: Name, args: Properties): Properties => ({ ...first[name], ...args });
export const second: Program = {
  created: more("created", {
    numReplicas: 4,
    ipAccessList: [OFFICE, HOME, { source: "192.0.2.1", description: "" }],
  }),
  adopted: more("adopted", { name: "reports", ipAccessList: [OFFICE, BUILD] }),
  organization: { name: "three", privateEndpoints: [{ id: "vpce-9", description: "the office" }] },
  kafka: more("kafka", { settings: { engineMaxThreads: 8 } }),
  objectStorage: more("objectStorage", { settings: { engineMaxThreads: 8 } }),
  kinesis: more("kinesis", { settings: { engineMaxThreads: 8 } }),
  postgres: more("postgres", {
    settings: { engineMaxThreads: 8 },
    source: { postgres: { tableMappings: [table("orders"), table("refunds")] } },
  }),
};

/** A stack in which each command is a new plugin process, as with the engine. */
export function createStack(server: Server) {
  const stack: Stack = { name: "dev", resources: [] };
  const messages: string[] = [];
  const plainTexts: string[] = [];
  let waitedMs = 0;

  async function run(work: (command: Command) => Promise<void>) {
    const clock = fakeClock();
    const startedAt = clock.now();
    const plugin = startProcess(server, {}, { clock });
    server.received();
    const handlersFor = (urn: string) => plugin.handlersFor(typeIn(urn), nameIn(urn));
    const { operations, failures } = await runInOrder(stack, handlersFor, work);
    messages.push(...failures.map(({ error }) => error.message), ...plugin.messages);
    const states = stack.resources.map(({ inputs, outputs }) => [shown(inputs), shown(outputs)]);
    plainTexts.push(JSON.stringify(states));
    waitedMs = clock.now() - startedAt;
    /** The operation on each resource, or its error. */
    const actions = Object.fromEntries([
      ...operations.map(({ urn, name }) => [nameIn(urn), name]),
      ...failures.map(({ urn, error }) => [nameIn(urn), error.message]),
    ]);
    return { actions, requests: server.received() };
  }

  return {
    find: (name: Name) => findByName(stack, name),
    /** Inputs and outputs of each resource, by its name. */
    state: () => stack.resources.map((resource) => [nameIn(resource.urn), resource] as const),
    /** Everything that the user has been shown. */
    messages,
    /** The states after each command as the engine has stored them in plain text. */
    plainTexts,
    /** The waiting time of the last command. */
    waitedMs: () => waitedMs,
    up: (program: Program) => {
      const declared = Object.entries(program).map(([name, args]) => {
        return { name, type: resourceTypes[name as Name], args, after: [] };
      });
      return run((command) => runProgram(command, declared));
    },
    refresh: () => run(runRefresh),
  };
}

/** Random programs of one resource, whose values the services' documents allow. */

const scaling = (random: Random) => ({
  minReplicaMemoryGb: pick(random, [8, 16]),
  maxReplicaMemoryGb: pick(random, [32, 64]),
  numReplicas: pick(random, [2, 3, 20]),
  idleScaling: pick(random, [true, false]),
  idleTimeoutMinutes: pick(random, [5, 15]),
});
const serviceArgs = (random: Random) => ({
  ...scaling(random),
  name: pick(random, ["analytics", "reports 2"]),
  ipAccessList: pick(random, [[], [OFFICE], [OFFICE, HOME]]),
  privateEndpointIds: pick(random, [[], ["vpce-0a1b2c3d4e5f60001"]]),
  endpoints: [{ protocol: "mysql", enabled: pick(random, [true, false]) }],
  releaseChannel: pick(random, ["slow", "fast"]),
});
const settings = (random: Random) => ({
  streamingMaxInsertWaitMs: pick(random, [500, 5000]),
  objectStorageMaxInsertBytes: pick(random, [10_485_760, 53_687_091_200]),
  engineMaxThreads: pick(random, [0, 64]),
  objectStorageUseClusterFunction: pick(random, [true, false]),
});
const secretOf = (random: Random) => ({
  username: "u",
  password: pick(random, ["one-1", "two-2"]),
});
const keyOf = (random: Random) => ({
  accessKeyId: "k",
  secretKey: pick(random, ["one-1", "two-2"]),
});
const roleOf = (random: Random) => pick(random, ["arn:aws:iam::1:role/a", "arn:aws:iam::1:role/b"]);
const pipeProgram =
  (pipeId: string, source: (random: Random) => Properties) => (random: Random) => ({
    serviceId: ADOPTED,
    pipeId,
    name: pick(random, ["orders", "events"]),
    settings: some(random, settings(random)),
    fieldMappings: pick(random, [[], [{ sourceField: "a", destinationField: "b" }]]),
    destination: { columns: [{ name: pick(random, ["a", "b"]), type: "String" }] },
    source: Object.fromEntries(
      Object.entries(source(random)).map(([kind, args]) => [
        kind,
        some(random, args as Properties),
      ]),
    ),
  });

/** Some of the members. */
export function some(
  random: Random,
  members: Properties,
  kept: readonly string[] = [],
): Properties {
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => kept.includes(name) || random() < 0.6),
  );
}

/**
 * A resource's arguments, the ones that always stay, the type of its responses, and its import ID.
 */
export interface Scenario {
  readonly type: ResourceType;
  readonly args: (random: Random) => Properties;
  readonly kept?: readonly string[];
  readonly shown: string;
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  created: { type: "Service", args: serviceArgs, kept: ["name"], shown: "Service" },
  adopted: {
    type: "Service",
    args: (random) => ({ ...serviceArgs(random), existingServiceId: ADOPTED }),
    kept: ["existingServiceId"],
    shown: "Service",
  },
  scaling: {
    type: "ServiceScaling",
    args: (random) => ({ ...scaling(random), serviceId: ADOPTED }),
    kept: ["serviceId", "numReplicas"],
    shown: "Service",
  },
  access: {
    type: "ServiceAccess",
    args: (random) => ({ serviceId: ADOPTED, ipAccessList: serviceArgs(random).ipAccessList }),
    kept: ["serviceId", "ipAccessList"],
    shown: "Service",
  },
  organization: {
    type: "Organization",
    args: (random) => ({
      name: pick(random, ["one", "two"]),
      privateEndpoints: pick(random, [[], [{ id: "vpce-9", description: "ours" }]]),
    }),
    kept: ["name"],
    shown: "Organization",
  },
  kafka: {
    type: "Pipe",
    args: pipeProgram(PIPES.kafka, (random) => ({
      kafka: {
        iamRole: roleOf(random),
        caCertificate: pick(random, ["PEM 1", "PEM 2"]),
        reversePrivateEndpointIds: pick(random, [["rpe-1"], ["rpe-1", "rpe-2"]]),
        credentials: secretOf(random),
      },
    })),
    kept: ["serviceId", "pipeId", "source"],
    shown: "Pipe",
  },
  objectStorage: {
    type: "Pipe",
    args: pipeProgram(PIPES.objectStorage, (random) => ({
      objectStorage: {
        iamRole: roleOf(random),
        path: pick(random, ["a/*", "b/*"]),
        azureContainerName: pick(random, ["a", "b"]),
        connectionString: pick(random, ["one-1", "two-2"]),
        accessKey: keyOf(random),
      },
    })),
    kept: ["serviceId", "pipeId", "source"],
    shown: "Pipe",
  },
  kinesis: {
    type: "Pipe",
    args: pipeProgram(PIPES.kinesis, (random) => ({
      kinesis: { iamRole: roleOf(random), accessKey: keyOf(random) },
    })),
    kept: ["serviceId", "pipeId"],
    shown: "Pipe",
  },
  postgres: {
    type: "Pipe",
    args: pipeProgram(PIPES.postgres, (random) => ({
      postgres: {
        host: pick(random, ["db-1.example.com", "db-2.example.com"]),
        port: pick(random, [5432, 5433]),
        database: pick(random, ["a", "b"]),
        credentials: secretOf(random),
        settings: { syncIntervalSeconds: pick(random, [5, 60]) },
        tableMappings: pick(random, [
          [table("orders")],
          [{ ...table("orders"), excludedColumns: ["note"] }],
          [table("orders"), { ...table("users"), useCustomSortingKey: true, sortingKeys: ["id"] }],
        ]),
      },
    })),
    kept: ["serviceId", "pipeId", "source"],
    shown: "Pipe",
  },
};
