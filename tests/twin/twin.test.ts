import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import exampleSeed from "../../simulator/seeds/example.json";
import { environmentFor, fakeClock } from "../contract/support";
import { type Api, createApi } from "../faults/model/api";
import { type Slot, seed, slots } from "../faults/model/scenario";
import { createSchedule } from "../faults/model/schedule";
import { type Server, startServer } from "../faults/model/server";
import { startAdapter } from "../support/adapters";
import { ADAPTER } from "../support/adapters/adapter";
import type { Handlers, Properties } from "../support/adapters/handlers";
import { createResult, runProgram, runRefresh } from "../support/engine/command";
import {
  type Declared,
  findByName,
  handlersAt,
  type Stack,
  type StateResource,
  urnOf,
} from "../support/engine/state";
import {
  codesIn,
  type History,
  history,
  names,
  type Observation,
  type Program,
  type ResolvedStep,
  type Step,
} from "./history";
import { makeProject, runOnEngine } from "./on-engine";

/**
 * The twin of Pulumi's engine, held against the engine: random histories run in both, and after
 * each command everything has to be equal. CLOUDDB_TWIN_RUNS and CLOUDDB_TWIN_SEED replace the
 * default number and the first seed.
 */
const { CLOUDDB_TWIN_RUNS = "3", CLOUDDB_TWIN_SEED = String(Date.now() % 1_000_000) } = process.env;

const PATIENCE_MS = 24 * 3600_000;

let server: Server;
let twinServer: Server;
let api: Api;
let project: string;
beforeAll(async () => {
  [server, twinServer] = [await startServer(seed), await startServer(seed)];
  api = createApi(twinServer);
  project = await makeProject(server);
}, PATIENCE_MS);
afterAll(async () => {
  await server.close();
  await twinServer.close();
});

test(
  "a random history does in the twin what it does on the engine",
  async () => {
    const differences: string[] = [];
    for (let run = 0; run < Number(CLOUDDB_TWIN_RUNS); run += 1) {
      const seed = Number(CLOUDDB_TWIN_SEED) + run;
      const [drawn] = fc.sample(history, { seed, numRuns: 1 });
      const difference = drawn && (await compare(drawn));
      if (difference) differences.push(`seed ${seed} (${ADAPTER}): ${difference}`);
      if (difference) process.stderr.write(`${differences.at(-1)}\n`);
    }
    expect(differences).toEqual([]);
  },
  PATIENCE_MS,
);

/** The first difference between the twin and the engine. */
async function compare(drawn: History): Promise<string | undefined> {
  const journals = mkdtempSync(join(tmpdir(), "clouddb-twin-"));
  const environment = (name: string) => ({
    CLOUDDB_MAX_RETRIES: "1",
    CLOUDDB_JOURNAL: join(journals, name),
  });
  try {
    const { steps, observations } = await runOnTwin(api, drawn, environment("twin"));
    const seen = await runOnEngine(server, project, steps, environment("engine"));
    const ids = [new Map<string, string>(), new Map<string, string>()] as const;
    for (const [index, step] of steps.entries()) {
      const { output, ...engine } = seen[index] as Observation;
      const twin = observations[index] as Observation;
      const [expected, current] = [normalize(engine, ids[0]), normalize(twin, ids[1])].map(
        ({ requests, operations, ...each }, _, [stored]) => ({
          ...each,
          state: withSecretsOf(stored?.state, each.state),
          ...((drawn.parallel === 1 || step.isPreview) && { requests, operations }),
        }),
      );
      if (!isDeepStrictEqual(expected, current))
        return `command ${index + 1}: ${describeDifference(expected, current)}\n${JSON.stringify(step)}\n${output}`;
    }
    return undefined;
  } finally {
    rmSync(journals, { recursive: true });
  }
}

function describeDifference(expected: unknown, current: unknown): string {
  try {
    expect(current).toEqual(expected);
    return "equal but for undefined";
  } catch (error) {
    return (error as Error).message;
  }
}

/** Runs a history in the twin, and at its end a preview of the first stack. */
async function runOnTwin(
  api: Api,
  { parallel, order, steps: drawn }: History,
  environment: Readonly<Record<string, string>>,
): Promise<{ steps: ResolvedStep[]; observations: Observation[] }> {
  const { server } = api;
  await api.reset(false);
  const stacks = new Map<string, Stack>();
  const programs = new Map<string, Program>();
  const steps: ResolvedStep[] = [];
  const observations: Observation[] = [];

  async function run(step: Step, isPreview: boolean): Promise<void> {
    const stack = stacks.get(step.stack) ?? { name: step.stack, project: "test", resources: [] };
    stacks.set(step.stack, stack);
    const before = programs.get(step.stack) ?? {};
    const program = step.command === "refresh" || isPreview ? before : nextProgram(before, step);
    programs.set(step.stack, program);
    // Targets and replacements name resources that the state has.
    const find = (slot: Step["target"]) =>
      slot && findByName(stack, program[slot]?.name ?? "")?.urn;
    const [targetUrn, replacedUrn] = [find(step.target), find(step.replaced)];
    steps.push({ ...step, isPreview, parallel, program, targetUrn, replacedUrn });

    if (step.edit) await server.change(...step.edit);
    server.received();
    api.begin(stack.name);
    const process = startAdapter({
      environment: { ...environmentFor(server), ...environment },
      clock: fakeClock(),
      random: () => 1,
    });
    const plugin = createDeath();
    const command = {
      stack,
      handlersFor: (urn: string) => plugin.mortal(handlersAt(process, urn)),
      schedule: createSchedule(
        api,
        { seed: order, fault: isPreview ? undefined : step.fault },
        plugin.die,
      ),
      parallel,
      isPreview,
      continuesOnError: step.continuesOnError,
      result: createResult(),
    };
    const { schedule, result } = command;
    const isRefused = !isIntact(stack);
    const hasFailed = () => isRefused || result.failures.length > 0 || schedule.isDead();
    const isTarget = (urn: string) =>
      step.command === "refresh" || targetUrn === undefined || urn === targetUrn;
    if (step.command !== "up" && !isPreview && !isRefused) await runRefresh(command, isTarget);
    if ((isPreview || step.command !== "refresh") && !hasFailed())
      await runProgram(command, declare(steps.at(-1) as ResolvedStep));
    renameDependencies(stack, program);
    observations.push({
      hasFailed: hasFailed(),
      operations: result.operations.map((operation) => operation.join(" ")),
      requests: server.received(),
      codes: codesIn([...process.messages, ...result.errors].join("\n")),
      state: stack.resources.map(({ dependencies, serviceFrom, ...resource }) => resource),
      services: server.organization().services,
    });
  }

  for (const step of drawn) await run(step, false);
  await run({ ...PREVIEW, resources: {} } as Step, true);
  return { steps, observations };
}

/** The engine refuses a state in which a resource depends on one that does not come before it. */
function isIntact({ resources }: Stack): boolean {
  return resources.every(({ dependencies = [] }, index) => {
    const before = resources.slice(0, index).map(({ urn }) => urn);
    return dependencies.every((urn) => before.includes(urn));
  });
}

/**
 * Dependencies on a renamed resource have the name in the state, which targets may have kept from
 * changing.
 */
function renameDependencies(stack: Stack, program: Program): void {
  for (const { type, name, alias } of Object.values(program)) {
    if (alias === undefined) continue;
    const both = [urnOf(stack, type, name), urnOf(stack, type, alias)];
    const current = both.find((urn) => stack.resources.some((each) => each.urn === urn)) ?? "";
    stack.resources = stack.resources.map(({ dependencies = [], ...resource }) => ({
      ...resource,
      dependencies: dependencies.map((each) => (both.includes(each) ? current : each)),
    }));
  }
}

const PREVIEW = { stack: "dev", command: "up", continuesOnError: false };

/** The death of a plugin: its calls, and all later ones, fail without a result. */
function createDeath() {
  let isDead = false;
  let die = () => {};
  const death = new Promise<never>((_, reject) => {
    die = () => {
      isDead = true;
      reject(new Error("the plugin has died"));
    };
  });
  death.catch(() => {});
  const mortal = (handlers: Handlers) =>
    new Proxy(handlers, {
      get: (_, name: keyof Handlers) => {
        const handler = handlers[name];
        if (typeof handler !== "function") return handler;
        const call = handler as (...args: unknown[]) => Promise<unknown>;
        return (...args: unknown[]) => (isDead ? death : Promise.race([call(...args), death]));
      },
    });
  return { die, mortal };
}

function declare({ program, parallel, targetUrn, replacedUrn }: ResolvedStep): Declared[] {
  const all = Object.values(program);
  return all.map(({ args, transformed, ...resource }, index): Declared => {
    const isNamed = (urn: string) => urn.endsWith(`:${resource.type}::${resource.name}`);
    const isRetained = resource.type === "Service" && resource.retainOnDelete === true;
    return {
      ...resource,
      args: { ...args, ...transformed },
      // The order that the classes set.
      ...(!isRetained && { deleteBeforeReplace: true }),
      ...(targetUrn && { isNoTarget: !isNamed(targetUrn) }),
      replace: replacedUrn && isNamed(replacedUrn) ? "delete first" : undefined,
      after: index > 0 && parallel === 1 ? [all[index - 1]?.name ?? ""] : [],
    };
  });
}

const KNOWN = JSON.stringify(exampleSeed);
const SECRET = "[secret]";
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const HOST = /[0-9a-f]{8}(?=\.db\.example\.com)/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const withoutGenerated = (value: unknown) =>
  [ID, HOST, TIME].reduce((text, kind) => text.replace(kind, ""), JSON.stringify(value));
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/**
 * The observation with placeholders for generated values and times; `ids` numbers the IDs of one
 * run.
 */
function normalize(observation: Observation, ids: Map<string, string>): Observation {
  const { operations, state, services, ...rest } = observation;
  const place = ({ urn, isToDelete }: Partial<StateResource>) => `${urn} ${isToDelete === true}`;
  const sorted = {
    // The state numbers the IDs: with several steps at a time, requests have no certain order.
    state: [...state].map(withoutDefaults).sort((a, b) => place(a).localeCompare(place(b))),
    services: [...services].sort((a, b) => withoutGenerated(a).localeCompare(withoutGenerated(b))),
    operations: [...operations].sort(),
    ...rest,
  };
  const text = JSON.stringify(sorted)
    .replace(ID, (id) => {
      if (KNOWN.includes(id)) return id;
      ids.set(id, ids.get(id) ?? `<id ${ids.size + 1}>`);
      return ids.get(id) ?? id;
    })
    .replace(HOST, "<host>")
    .replace(TIME, "<time>");
  return JSON.parse(text);
}

function withoutDefaults(resource: Partial<StateResource>): Partial<StateResource> {
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => value));
}

/**
 * The value with a placeholder wherever the other one, which an engine has stored, is encrypted.
 */
function withSecretsOf(stored: unknown, value: unknown): unknown {
  if (typeof stored !== "object" || stored === null) return value;
  if (SIGNATURE in stored) return value === undefined ? value : SECRET;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => withSecretsOf((stored as unknown[])[index], item));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withSecretsOf((stored as Properties)[name], item),
    ]),
  );
}

/** The stack `us` shares a service and the organization with `dev`. */
const OF_US: readonly Slot[] = ["access", "organization"];

/** The program of the next step. */
function nextProgram(before: Program, step: Step): Program {
  const next: Program = { ...before };
  for (const slot of step.stack === "us" ? OF_US : names) {
    const { type, always } = slots[slot];
    const declared = step.resources[slot];
    const former = before[slot];
    if (step.removed === slot) delete next[slot];
    else if (former || declared) {
      const name = former?.name ?? slot;
      const isRenamed = step.renamed?.slot === slot;
      const args = declared ? { ...declared, ...always } : (former?.args ?? {});
      const [ignoring, place] = step.ignored ?? [];
      const transformed = step.transformed?.[slot];
      next[slot] = {
        name: isRenamed ? `${name}x` : name,
        type,
        args,
        ...(isRenamed && step.renamed?.hasAlias && { alias: name }),
        ...(type === "Service" && (step.protection ?? { protect: true })),
        ...(ignoring === slot && { ignoreChanges: place ? [place] : Object.keys(args) }),
        ...(transformed && { transformed }),
      };
    }
  }
  return next;
}
