import type { ResourceType } from "../../provider/lifecycle/resource-type";
import { organization } from "../../provider/resources/organization/lifecycle";
import { pipe } from "../../provider/resources/pipe/lifecycle";
import { service } from "../../provider/resources/service/lifecycle";
import { serviceScaling } from "../../provider/resources/service-scaling/lifecycle";
import { type Handlers, type Properties, runtimeAt, timeless } from "../contract/support";
import { MANNERS } from "../second-server/manners";
import { inTrouble, requestsSent, type Sent } from "../support/network";
import { type Step as Done, refresh, type Stored, up } from "../support/stack-model";
import { expectClean, expectOneCreation, expectSame, holdsPromises } from "./promises";
import type { Server } from "./server";
import { ADOPTED, type Drift, type Mishap, SIZED, SLOTS, type Slot, type Step, type Story } from "./story";

/** Tells a story to the real handlers and the simulator, and holds the promises against it after every step. */

/** The type of each slot's resource. */
export const RESOURCE_TYPES: Readonly<Record<Slot, ResourceType>> = {
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

export interface Member {
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
export type Members = ReadonlyMap<Slot, Member>;

type Command = "up" | "refresh";

interface World {
  readonly server: Server;
  readonly members: Members;
}

export async function tell(story: Story, server: Server): Promise<void> {
  await server.reset();
  requestsSent();
  const members: Members = new Map<Slot, Member>(SLOTS.map((slot) => [slot, {}]));
  const world = { server, members };
  for (const step of story) {
    await taken(world, step);
    holdsPromises(server, members);
  }
  await converges(world);
}

async function taken(world: World, step: Step): Promise<void> {
  if ("drift" in step) return drifted(world, step.drift);
  if ("manner" in step) return world.server.behave(MANNERS[step.manner]);
  if ("up" in step) {
    for (const [slot, args] of Object.entries(step.up) as [Slot, Properties][]) member(world, slot).args = args;
  }
  await command(world, "up" in step ? "up" : "refresh", step.mishap);
}

function member({ members }: World, slot: Slot): Member {
  return members.get(slot) as Member;
}

/** What one command did: it works on one resource after the other, and may die on its way. */
async function command(world: World, name: Command, mishap?: Mishap): Promise<Set<string>> {
  const { server, members } = world;
  const did = new Set<string>();
  const life = meeting(server, mishap);
  const { runtime, said } = runtimeAt(server, {}, life.clock);
  try {
    for (const [slot, each] of members) {
      if (each.args === undefined || (name === "refresh" && each.stored === undefined)) continue;
      recovered(world, each);
      const args: Properties = { ...each.args, ...ALWAYS[slot], ...each.found };
      const done = await Promise.race([
        worked(runtime.providerFor(RESOURCE_TYPES[slot]), name, each, args),
        life.death,
      ]);
      expectClean(server, [...said.splice(0), ...(done === "died" || !done.error ? [] : [done.error.message])]);
      const requests = requestsSent();
      expectOneCreation(requests);
      if (done === "died") {
        each.isDrifted = true;
        const wasCreating = each.stored === undefined && CREATED.includes(slot) && !args.existingServiceId;
        if (wasCreating) each.lostName = args.name ?? DEFAULT_NAME;
        return did;
      }
      const most = mishap || done.error ? Number.POSITIVE_INFINITY : MOST_REQUESTS[done.did];
      if (requests.length > most) throw new Error(`${name} of ${slot} sent ${JSON.stringify(requests)}`);
      kept(each, args, done, slot, requests);
      did.add(done.did);
    }
    return did;
  } finally {
    inTrouble(undefined);
    server.faults();
  }
}

function worked(handlers: Handlers, name: Command, { stored }: Member, args: Properties): Promise<Done> {
  return name === "refresh" && stored ? refresh(handlers, stored) : up(handlers, stored, PROVIDER, args);
}

/** Puts a mishap in a command's way, and the death that it may be. */
function meeting(server: Server, mishap: Mishap | undefined) {
  let isDead = false;
  let die = () => {};
  const death = new Promise<"died">((resolve) => {
    die = () => {
      isDead = true;
      resolve("died");
    };
  });
  const passing = timeless();
  // What is dead neither waits nor tries again.
  const clock = { ...passing, sleep: (ms: number) => (isDead ? new Promise<void>(() => {}) : passing.sleep(ms)) };
  if (mishap && "effect" in mishap) {
    const { effect, skipped, times } = mishap;
    const first = { times: skipped, effect: { kind: "latency", milliseconds: 0 } as const };
    server.faults(...(skipped > 0 ? [first] : []), { times, effect });
  } else if (mishap) {
    const { trouble: kind, skipped } = mishap;
    inTrouble({ kind, skipped, times: kind === "refused" ? 2 : 1, died: die });
  }
  return { clock, death };
}

function kept(each: Member, args: Properties, done: Done, slot: Slot, requests: readonly Sent[]): void {
  const before = each.stored;
  each.stored = done.stored;
  each.error = done.error?.message;
  const isLost = done.stored === undefined && /may still have been created/.test(done.error?.message ?? "");
  if (isLost) each.lostName = args.name ?? DEFAULT_NAME;
  // An organization cannot be read: after a death only the answer to another change makes it certain.
  const isCertain = slot === "organization" ? requests.length > 0 : done.did === "refresh";
  if (isCertain && !done.error) each.isDrifted = false;
  // Nothing deletes a service or a pipe in these worlds: no refresh may let one go.
  if (before !== undefined && done.stored === undefined) throw new Error(`${slot} was dropped from the state`);
  const password = done.stored?.outputs.password;
  if (done.stored && CREATED.includes(slot) && !args.existingServiceId) expectSame(typeof password, "string");
  if (each.password !== undefined) expectSame(password, each.password);
  each.password = password;
}

/** What the user does before the next command, as the error or docs/crashes.md says: look, and take over. */
function recovered({ server, members }: World, each: Member): void {
  if (each.lostName === undefined) return;
  const known = new Set([...members.values()].map(({ stored }) => stored?.id));
  const { services } = server.organization();
  const found = services.find(({ id, name }) => !known.has(String(id)) && name === each.lostName);
  each.lostName = undefined;
  if (found) each.found = { existingServiceId: found.id };
}

async function drifted(world: World, { slot, body }: Drift): Promise<void> {
  const each = member(world, slot);
  const id = slot === "size" ? SIZED : (each.stored?.id ?? (slot === "adopted" ? ADOPTED : undefined));
  if (id === undefined) return;
  await world.server.change(`/${id}${slot === "size" ? "/replicaScaling" : ""}`, body);
  each.isDrifted = true;
}

/** When everything is well again: look once, bring it about, and then nothing is left to do. */
async function converges(world: World): Promise<void> {
  const { server, members } = world;
  await command(world, "refresh");
  await command(world, "up");
  for (const [slot, each] of members) {
    expectSame([slot, each.error], [slot, undefined]);
    expectSame([slot, each.lostName], [slot, undefined]);
    if (slot !== "organization") each.isDrifted = false;
  }
  holdsPromises(server, members);
  const hasMembers = [...members.values()].some(({ args }) => args !== undefined);
  expectSame([...(await command(world, "up"))], hasMembers ? ["same"] : []);
  await command(world, "refresh");
  expectSame([...(await command(world, "up"))], hasMembers ? ["same"] : []);
}
