import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, type ClientRequest } from "node:http";
import { join } from "node:path";
import { ENTRY, entryText, URN, version } from "../../provider/names";
import type { FaultRule } from "../../simulator";
import { CreateService } from "../../simulator/schema/service";
import { type Properties, type ResourceType, startProcess } from "../contract/support";
import { ADAPTER } from "../support/adapters/handlers";
import { plain } from "../support/adapters/values";
import { simulated, type TestApi } from "../support/api";
import { runProgram, runRefresh } from "../support/engine/command";
import { runInOrder } from "../support/engine/resource";
import {
  handlersAt,
  nameIn,
  type Stack,
  type StateResource,
  type Stored,
  typeIn,
  urnOf,
} from "../support/engine/state";
import { EXAMPLE, exampleSeed } from "../support/example";
import { temporaryFolder } from "../support/temporary-folder";
import { changedLines, placeholders, requestLines } from "./witness";

/** Stacks over several commands, each in a process of the adapter under test. */

export type Program = Readonly<
  Record<string, { readonly type: ResourceType; readonly args: Properties }>
>;

export interface Command {
  /** The resources of `pulumi up`, which deletes all others; absent in a `pulumi refresh`. */
  readonly program?: Program;
  readonly stack?: string;
  readonly faults?: readonly FaultRule[];
  /** The engine dies before it stores what the command has done. */
  readonly isLost?: true;
}

/** All that outlives a command. */
export interface World {
  readonly stacks: Record<string, { program: Program; stored: Record<string, Stored> }>;
  /** The texts of the creation journal's files. */
  journal: Record<string, string>;
  /** The organization on the server, in the form of a seed. */
  organization: Properties;
  /** True after a refresh of the only stack, which leaves nothing to do. */
  isSettled?: boolean;
}

interface Step {
  readonly error?: string;
  readonly before?: Stored | undefined;
  readonly after?: Stored | undefined;
}

export interface CommandResult {
  readonly requests: readonly string[];
  readonly messages: readonly string[];
  /** By action and resource. */
  readonly steps: Readonly<Record<string, Step>>;
  readonly journal: readonly Properties[];
}

/** The file of this release's states. */
export const STATES = join(__dirname, "states", `${version}-${ADAPTER}.ndjson`);

const SECRET_VARIABLES = { ORDERS_PASSWORD: "password of orders", DISK_KEY: "disk key" };
/** Journal records name the API's address, which is therefore always the same. */
const PORT = 8080;

const [example] = exampleSeed.organizations ?? [];
const [analytics] = example?.services ?? [];
/** One service with a small pipe, since each state of the server is recorded. */
const initial = {
  ...example,
  tier: "ENTERPRISE",
  services: [
    {
      ...analytics,
      pipes: analytics?.pipes
        ?.filter(({ id }) => id === EXAMPLE.pipes.kafka)
        .map(({ destination, fieldMappings, scaling, ...pipe }) => ({
          ...pipe,
          settings: { streaming_max_insert_wait_ms: 1000 },
          source: { kafka: { topics: "orders" } },
        })),
    },
  ],
};
export const newWorld = (): World => ({ stacks: {}, journal: {}, organization: initial });

/** Runs commands on a simulator, which takes the state of the server from the world. */
export function useHistories() {
  let api: TestApi;
  const agent = Agent.prototype as unknown as {
    addRequest(request: ClientRequest, options: { port?: number }): void;
  };
  const { addRequest } = agent;

  beforeAll(async () => {
    api = await simulated({ keyId: "key of the witness", keySecret: "its secret" });
    const port = Number(new URL(api.baseUrl).port);
    agent.addRequest = function (request, options) {
      addRequest.call(
        this,
        request,
        Number(options.port) === PORT ? { ...options, port } : options,
      );
    };
  });
  afterAll(() => {
    agent.addRequest = addRequest;
  });

  async function seedServer({ organization }: World): Promise<void> {
    const answer = await api.admin("/seed", "PUT", { organizations: [organization] });
    expect(answer).toEqual({ status: "seeded" });
  }

  return async function run(
    world: World,
    commands: readonly Command[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<CommandResult[]> {
    await seedServer(world);
    const results: CommandResult[] = [];
    for (const [index, command] of commands.entries()) {
      const engine = `engine ${index} of ${Object.keys(world.journal).length}`;
      results.push(await runCommand(world, command, { api, engine, environment }));
    }
    world.isSettled =
      commands.at(-1)?.program === undefined && Object.keys(world.stacks).length === 1;
    world.organization = asSeed((await api.organizations())[0] ?? {});
    return results;
  };
}

interface Process {
  readonly api: TestApi;
  readonly engine: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function runCommand(
  world: World,
  { program, stack = "dev", faults = [], isLost }: Command,
  { api, engine, environment }: Process,
): Promise<CommandResult> {
  const folder = join(temporaryFolder("witness"), "records");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(world.journal)) writeFileSync(join(folder, name), text);
  const process = startProcess(
    { ...api, baseUrl: `http://127.0.0.1:${PORT}` },
    { CLOUDDB_JOURNAL: folder, ...SECRET_VARIABLES, ...environment },
    { engine: () => engine },
  );
  const before = world.stacks[stack] ?? { program: {}, stored: {} };
  const engineStack: Stack = { name: stack, project: "test", resources: [] };
  engineStack.resources = Object.entries(before.stored).map(([name, stored]) => ({
    ...stored,
    urn: urnOf(engineStack, before.program[name]?.type ?? "Service", name),
  }));
  const declared = Object.entries(program ?? {}).map(([name, { type, args }]) => ({
    ...{ name, type, args },
    after: [],
  }));
  await api.faults(...faults);
  const { actions, failures } = await runInOrder(
    engineStack,
    (urn) => handlersAt(process, urn),
    (command) => (program ? runProgram(command, declared) : runRefresh(command)),
  );
  await api.faults();

  const stored = Object.fromEntries(
    engineStack.resources.map((each) => [nameIn(each.urn), storedOf(each)]),
  );
  const steps: Record<string, Step> = {};
  for (const name of Object.keys({ ...program, ...before.stored })) {
    const error = failures.find(({ urn }) => nameIn(urn) === name)?.error.message;
    const isDeleted = program !== undefined && !(name in program);
    const action = isDeleted ? "delete" : (actions.get(name) ?? "refresh");
    // One adapter refuses a creation in the check, the other one after it.
    const title = error === undefined || isDeleted ? action : "fail";
    steps[`${title} ${name}`] = {
      ...(error && { error }),
      ...(!isDeleted && { before: before.stored[name], after: stored[name] }),
    };
  }
  world.stacks[stack] = {
    program: program ?? before.program,
    stored: isLost ? before.stored : stored,
  };
  world.journal = Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const journal = Object.values(world.journal).map((text) => JSON.parse(text));
  const { messages } = process;
  return { requests: requestLines(await api.takeJournal()), messages, steps, journal };
}

/** The engine hands over plain values, and marks secrets in its state by itself. */
function storedOf({ urn, id, inputs, outputs, isPartial }: StateResource): Stored {
  const own = { dynamic: urn, native: entryText(typeIn(urn)) };
  expect(outputs[{ dynamic: URN, native: ENTRY }[ADAPTER]]).toBe(own[ADAPTER]);
  return { id, inputs: plain(inputs), outputs: plain(outputs), isPartial };
}

/** An organization of the simulator's state as a seed has it. */
function asSeed({ services, ...organization }: Properties): Properties {
  const seeded = (services as Properties[]).map((service) => {
    // A service without it is a primary one.
    const { id, protocols, pipes, dataWarehouseId: _, ...members } = service;
    const create = Object.entries(members).filter(([name]) => name in CreateService.shape);
    const endpoints = (protocols as string[]).map((protocol) => ({ protocol, enabled: true }));
    return {
      id,
      create: { ...Object.fromEntries(create), endpoints },
      pipes: (pipes as Properties[]).map(({ writeOnly, ...pipe }) => pipe),
    };
  });
  return { ...organization, services: seeded };
}

/** Results for snapshots. */
export function readable(results: readonly CommandResult[]): object[] {
  return placeholders(results).map(({ steps, messages, ...others }) => ({
    ...others,
    // Dynamic resources alone announce what Pulumi does not show of their changes.
    messages: messages.filter((line) => !line.endsWith("[CDB5019]")),
    steps: Object.fromEntries(
      Object.entries(steps).map(([name, { error = [], before, after }]) => [
        name,
        [error, changedLines(before, after)].flat(),
      ]),
    ),
  }));
}
