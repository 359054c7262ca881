import { resources } from "../../../provider/resources";
import { fakeClock, startProcess } from "../../contract/support";
import type { Server } from "../../faults/model/server";
import type { Handlers, Properties } from "../adapters/handlers";
import { refresh, type StepResult, up } from "../engine/resource";
import type { Stored } from "../engine/state";
import { EXAMPLE } from "../example";
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

const resourceTypes: Readonly<Record<Name, keyof typeof resources>> = {
  created: "Service",
  adopted: "Service",
  organization: "Organization",
  kafka: "Pipe",
  objectStorage: "Pipe",
  kinesis: "Pipe",
  postgres: "Pipe",
};
export const NAMES = Object.keys(resourceTypes) as Name[];

export const table = (name: string) => ({
  sourceSchemaName: "public",
  sourceTable: name,
  targetTable: name,
});
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

export interface CommandResult extends StepResult {
  readonly requests: readonly string[];
}

/** A stack in which each command is a new plugin process, as with the engine. */
export function createStack(server: Server) {
  const state = new Map<Name, Stored>();
  const messages: string[] = [];
  const plainTexts: string[] = [];
  let waitedMs = 0;

  async function command(
    names: readonly Name[],
    run: (name: Name, at: Handlers) => Promise<StepResult | undefined>,
  ) {
    const clock = fakeClock();
    const startedAt = clock.now();
    const plugin = startProcess(server, {}, clock);
    const results: Partial<Record<Name, CommandResult>> = {};
    for (const name of names) {
      server.requests();
      const step = await run(
        name,
        plugin.handlersFor(resources[resourceTypes[name]].definition, name),
      );
      if (step === undefined) continue;
      if (step.stored) state.set(name, step.stored);
      else state.delete(name);
      results[name] = { ...step, requests: server.requests() };
      if (step.error) messages.push(step.error.message);
    }
    messages.push(...plugin.messages);
    plainTexts.push(plugin.plainText());
    waitedMs = clock.now() - startedAt;
    return results;
  }

  return {
    state,
    /** Everything that the user has been shown. */
    messages,
    /** Responses as the engine would have stored them in plain text: see `plainText` of an adapter's process. */
    plainTexts,
    /** The waiting time of the last command. */
    waitedMs: () => waitedMs,
    up: (program: Program) =>
      command(NAMES, async (name, handlers) => {
        const args = program[name];
        return args && up(handlers, state.get(name), args);
      }),
    refresh: () =>
      command(NAMES, async (name, handlers) => {
        const stored = state.get(name);
        return stored && refresh(handlers, stored);
      }),
  };
}

export type Stack = ReturnType<typeof createStack>;
