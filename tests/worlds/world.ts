import type { Kind } from "../../provider/resources/kind";
import { organization } from "../../provider/resources/organization/lifecycle";
import { pipe } from "../../provider/resources/pipe/lifecycle";
import { service } from "../../provider/resources/service/lifecycle";
import { serviceScaling } from "../../provider/resources/service-scaling/lifecycle";
import { UNCERTAIN } from "../../provider/resources/subject";
import type { RunningSimulator } from "../../simulator/index";
import { handlersOf, type Properties, timeless } from "../contract/support";
import { type Steered, steered } from "../support/api";
import { inTrouble, requestsSent, type Sent } from "../support/network";
import { type Step as Done, refresh, type Stored, up } from "../support/stack-model";
import { ADOPTED, type Mishap, PIPE, SIZED, SLOTS, type Slot, type Step, type Story } from "./story";

/** Tells a story to the real handlers and the simulator, and holds the promises against it after every step. */

const KINDS: Readonly<Record<Slot, Kind>> = {
  first: service,
  second: service,
  adopted: service,
  size: serviceScaling,
  pipe,
  organization,
};
const CREATED: readonly Slot[] = ["first", "second"];
/** What a program always says of a slot. */
const ALWAYS: Readonly<Partial<Record<Slot, Properties>>> = {
  second: { name: "second" },
  adopted: { existingServiceId: ADOPTED },
};
/** What a service is called whose program does not say it. */
const DEFAULT_NAME = "db";
const PROVIDER = 'exports.handler=()=>require("pulumi-clouddb/runtime").x';
/** Requests of one resource in one command when nothing goes wrong: no kind makes more. */
const MOST_REQUESTS = { create: 3, update: 3, same: 0, replace: 0, refresh: 1 };

interface Member {
  stored?: Stored | undefined;
  args?: Properties;
  /** The name of a service whose creation nobody knows the fate of: the user has been told, by an error or a crash. */
  lostName?: unknown;
  /** What the user found then, and has declared since. */
  found?: { readonly existingServiceId: unknown };
  /** The server may have something else than the state says: nobody has looked since. */
  isDrifted?: boolean;
  password?: unknown;
  /** What the last command about it said was wrong. */
  error?: string | undefined;
}

export async function tell(story: Story, simulator: RunningSimulator): Promise<void> {
  const api = steered(simulator);
  await api.reset();
  requestsSent();
  const members = new Map<Slot, Member>(SLOTS.map((slot) => [slot, {}]));
  const world = { api, simulator, members };
  for (const step of story) {
    await taken(world, step);
    await holdsPromises(world);
  }
  await converges(world);
}

interface World {
  readonly api: Steered;
  readonly simulator: RunningSimulator;
  readonly members: ReadonlyMap<Slot, Member>;
}

async function taken(world: World, step: Step): Promise<void> {
  if ("drift" in step) return drifted(world, step.drift);
  await prepared(world, "mishap" in step ? step.mishap : undefined);
  if ("up" in step) {
    for (const [slot, args] of Object.entries(step.up) as [Slot, Properties][]) member(world, slot).args = args;
  }
  await command(world, "up" in step ? "up" : "refresh", step.mishap);
}

function member({ members }: World, slot: Slot): Member {
  return members.get(slot) as Member;
}

async function prepared({ api }: World, mishap: Mishap | undefined): Promise<void> {
  const skipped = mishap?.skipped
    ? [{ times: mishap.skipped, effect: { kind: "latency", milliseconds: 0 } as const }]
    : [];
  if (mishap && "effect" in mishap) await api.faults(...skipped, { times: mishap.times, effect: mishap.effect });
}

/** What one command did: it works on one resource after the other, and may die on its way. */
async function command(world: World, name: "up" | "refresh", mishap: Mishap | undefined): Promise<Set<string>> {
  const { api, simulator, members } = world;
  const did = new Set<string>();
  let die = () => {};
  let isDead = false;
  const death = new Promise<"died">((resolve) => {
    die = () => {
      isDead = true;
      resolve("died");
    };
  });
  const passing = timeless();
  // What is dead neither waits nor tries again.
  const clock = { ...passing, sleep: (ms: number) => (isDead ? new Promise<void>(() => {}) : passing.sleep(ms)) };
  if (mishap && "trouble" in mishap) {
    inTrouble({
      kind: mishap.trouble,
      skipped: mishap.skipped,
      times: mishap.trouble === "refused" ? 2 : 1,
      died: die,
    });
  }
  try {
    for (const [slot, each] of members) {
      if (each.args === undefined || (name === "refresh" && each.stored === undefined)) continue;
      await recovered(world, each);
      const handlers = handlersOf(KINDS[slot], simulator, {}, clock);
      const args: Properties = { ...each.args, ...ALWAYS[slot], ...each.found };
      const isRead = name === "refresh" && each.stored !== undefined;
      const work = isRead ? refresh(handlers, each.stored as Stored) : up(handlers, each.stored, PROVIDER, args);
      const done = await Promise.race([work, death]);
      expectClean(world, [...handlers.said, ...(done === "died" || !done.error ? [] : [done.error.message])]);
      const requests = requestsSent();
      expectOneCreation(requests.filter(({ request }) => request.startsWith("POST")));
      if (done === "died") {
        each.isDrifted = true;
        const wasCreating = each.stored === undefined && CREATED.includes(slot) && !args.existingServiceId;
        if (wasCreating) each.lostName = args.name ?? DEFAULT_NAME;
        return did;
      }
      const most = mishap || done.error ? Number.POSITIVE_INFINITY : MOST_REQUESTS[done.did];
      if (requests.length > most) throw new Error(`${name} of ${slot} sent ${JSON.stringify(requests)}`);
      kept(each, args, done, slot);
      did.add(done.did);
    }
    return did;
  } finally {
    inTrouble(undefined);
    if (mishap !== undefined) await api.faults();
  }
}

function kept(each: Member, args: Properties, done: Done, slot: Slot): void {
  const before = each.stored;
  each.stored = done.stored;
  each.error = done.error?.message;
  const isLost = done.stored === undefined && /may have been created/.test(done.error?.message ?? "");
  if (isLost) each.lostName = args.name ?? DEFAULT_NAME;
  // An organization cannot be read: after a death only a change that is sent again makes it certain.
  const isCertain = slot === "organization" ? done.did === "update" || done.did === "create" : done.did === "refresh";
  if (isCertain && !done.error) each.isDrifted = false;
  // Nothing deletes a service or a pipe in these worlds: no refresh may let one go.
  if (before !== undefined && done.stored === undefined) throw new Error(`${slot} was dropped from the state`);
  const password = done.stored?.outputs.password;
  if (done.stored && CREATED.includes(slot) && !args.existingServiceId) expect(typeof password).toBe("string");
  if (each.password !== undefined) expect(password).toBe(each.password);
  each.password = password;
}

/** What the user does before the next command, as the error or docs/crashes.md says: look, and take over. */
async function recovered({ api, members }: World, each: Member): Promise<void> {
  if (each.lostName === undefined) return;
  const known = new Set([...members.values()].map(({ stored }) => stored?.id));
  const found = (await api.services()).find(({ id, name }) => !known.has(String(id)) && name === each.lostName);
  each.lostName = undefined;
  if (found) each.found = { existingServiceId: found.id };
}

/** No secret, no trace, and of a failure one that ends in a sentence. */
function expectClean({ simulator }: World, lines: readonly string[]): void {
  for (const line of lines) {
    expect(line).not.toContain(simulator.keySecret);
    expect(line).not.toMatch(/<html>|\n {4}at |undefined|\[object/);
    expect(line).toMatch(/\.$/);
  }
}

/** A creation that could have been received is not followed by another. */
function expectOneCreation(posts: readonly Sent[]): void {
  const couldHaveLanded = ({ status = 504 }: Sent) => status !== 0 && (status < 400 || status >= 500 || status === 408);
  expect(posts.slice(0, -1).filter(couldHaveLanded)).toEqual([]);
}

async function drifted({ api, members }: World, { slot, body }: { slot: Slot; body: Properties }): Promise<void> {
  const each = members.get(slot) as Member;
  const id = slot === "size" ? SIZED : (each.stored?.id ?? (slot === "adopted" ? ADOPTED : undefined));
  if (id === undefined) return;
  await api.change("PATCH", `/${id}${slot === "size" ? "/replicaScaling" : ""}`, body);
  each.isDrifted = true;
}

/** Services on the server = services in the state and those that the user was told about. */
async function holdsPromises({ api, members }: World): Promise<void> {
  const [organizationNow] = await api.organizations();
  const services = organizationNow?.services ?? [];
  const ids = services.map(({ id }) => String(id));
  const stored = [...members].flatMap(([slot, { stored }]) => (stored && KINDS[slot] === service ? [stored.id] : []));
  expect(ids).toEqual(expect.arrayContaining(stored));
  expect(new Set(stored).size).toBe(stored.length);
  const unknown = ids.filter((id) => ![...stored, ADOPTED, SIZED].includes(id));
  const told = [...members.values()].filter(({ stored, lostName, found }) => !stored && (lostName ?? found));
  expect(unknown.length).toBeLessThanOrEqual(told.length);

  for (const [slot, { stored, error, isDrifted }] of members) {
    if (stored === undefined || stored.isPartial || error !== undefined || isDrifted) continue;
    // An organization cannot be read: what is not certain stays so until the next update.
    if (stored.outputs[UNCERTAIN]) continue;
    const found = {
      size: services.find(({ id }) => id === SIZED),
      pipe: services.flatMap(({ pipes }) => pipes as Properties[]).find(({ id }) => id === PIPE),
      organization: organizationNow,
    }[slot as string];
    expectDeclared(slot, stored.inputs, found ?? services.find(({ id }) => id === stored.id) ?? {});
  }
}

const PLAIN = ["name", "numReplicas", "idleScaling", "maxReplicaMemoryGb"];
/** Lists by the part of an entry that tells it from others. */
const LISTS: Readonly<Record<string, (entry: never) => string>> = {
  ipAccessList: ({ source, description }: { source: string; description?: string }) =>
    `${source.replace(/\/(32|128)$/, "")} ${description ?? ""}`,
  privateEndpointIds: (id: string) => id,
  privateEndpoints: ({ id }: { id: string }) => id,
};

/** After a good command, the server has what was declared. An organization keeps what others have added. */
function expectDeclared(slot: Slot, inputs: Properties, found: Properties): void {
  for (const name of PLAIN) {
    if (inputs[name] !== undefined) expect([slot, name, found[name]]).toEqual([slot, name, inputs[name]]);
  }
  for (const [name, keyOf] of Object.entries(LISTS)) {
    if (inputs[name] === undefined) continue;
    const [has, wanted] = [found[name], inputs[name]].map((list) => (list as never[]).map(keyOf).sort());
    if (slot === "organization") expect(has).toEqual(expect.arrayContaining(wanted ?? []));
    else expect([slot, name, has]).toEqual([slot, name, wanted]);
  }
  const { settings, source } = inputs as {
    settings?: Properties;
    source?: { postgres?: { tableMappings?: Properties[] } };
  };
  const has = found as { settings?: Properties; source?: { postgres?: { tableMappings?: Properties[] } } };
  if (settings?.streamingMaxInsertWaitMs !== undefined) {
    expect(has.settings?.streaming_max_insert_wait_ms).toBe(settings.streamingMaxInsertWaitMs);
  }
  const tables = (from: typeof source) => from?.postgres?.tableMappings?.map(({ sourceTable }) => sourceTable).sort();
  if (tables(source)) expect(tables(has.source)).toEqual(tables(source));
}

/** When everything is well again: look once, bring it about, and then nothing is left to do. */
async function converges(world: World): Promise<void> {
  await command(world, "refresh", undefined);
  await command(world, "up", undefined);
  for (const [slot, each] of world.members) {
    expect([slot, each.error]).toEqual([slot, undefined]);
    expect([slot, each.lostName]).toEqual([slot, undefined]);
    if (slot !== "organization") each.isDrifted = false;
  }
  await holdsPromises(world);
  const hasMembers = [...world.members.values()].some(({ args }) => args !== undefined);
  expect([...(await command(world, "up", undefined))]).toEqual(hasMembers ? ["same"] : []);
  await command(world, "refresh", undefined);
  expect([...(await command(world, "up", undefined))]).toEqual(hasMembers ? ["same"] : []);
}
