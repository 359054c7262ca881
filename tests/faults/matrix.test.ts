import type { Clock } from "../../provider/api";
import { type RunningSimulator, startSimulator } from "../../simulator/index";
import { handlersOf, type Properties, STARTED_AT } from "../contract/support";
import { type Steered, steered } from "../support/api";
import { inTrouble, requestsSent } from "../support/network";
import { type Plugin, startPlugin } from "../support/plugin";
import { refresh, type Step, type Stored, up } from "../support/stack-model";
import { type Course, expected, type Fault, type FaultName, faults } from "./expectation";
import { type KindName, kinds, type Situation, situations, world } from "./situations";

/**
 * Every fault at every request of every operation, over Pulumi's own plugin: what was asked, what is stored, what the
 * user reads, and that the next `pulumi up` brings the rest about with the fewest requests.
 */

const TIMES = ["once", "forever"] as const;
type Times = (typeof TIMES)[number];

/** How often a request is sent that is repeated until the retries are used up; tests allow three. */
const ALL_ATTEMPTS = 4;
const MOST_REQUESTS = 50;
/** How long a command waits at most for what is told to come again: where nothing has been changed yet, and else. */
const LONGEST_MS = { waits: [10 * 60_000, 60_000], readies: [2 * 60_000, 2 * 60_000] };

let simulator: RunningSimulator;
let api: Steered;
let plugin: Plugin;
let said: string[];
let clock: Clock;
const now = STARTED_AT;
const counts = new Map<string, number>();

beforeAll(async () => {
  simulator = await startSimulator({ seed: world });
  api = steered(simulator);
  plugin = await startPlugin();
});
afterAll(async () => {
  plugin.close();
  await simulator.close();
  const lines = [...counts].sort().map(([course, count]) => `  ${String(count).padStart(4)}  ${course}`);
  process.stdout.write(`The fault matrix:\n${lines.join("\n")}\n`);
});

const entryOf = (kind: KindName) => `exports.handler=()=>require("pulumi-clouddb/runtime").${kind}`;

/** A new plugin process, as each command has one. */
function newProcess(kind: KindName): void {
  const handlers = handlersOf(kinds[kind], simulator);
  ({ said, clock } = handlers);
  plugin.use({ [kind]: handlers });
}

async function upIn({ kind }: Situation, args: Properties, stored: Stored | undefined): Promise<Step> {
  newProcess(kind);
  return up(plugin.handlers, stored, entryOf(kind), args);
}

async function refreshIn({ kind }: Situation, stored: Stored): Promise<Step> {
  newProcess(kind);
  return refresh(plugin.handlers, stored);
}

/** What reached the server since this was asked last. */
const asked = () => requestsSent().flatMap(({ request, status }) => (status === 0 ? [] : [request]));

/** Whether the server has what the request is about. */
async function isDone({ shows, kind, args }: Situation): Promise<boolean> {
  const [organization] = await api.organizations();
  const { existingServiceId, serviceId, pipeId } = args;
  const adoptedId = existingServiceId ?? serviceId;
  const service = organization?.services.filter(({ id }) => id === adoptedId || adoptedId === undefined)?.at(-1);
  const pipe = (service?.pipes as Properties[] | undefined)?.find(({ id }) => id === pipeId);
  const found: unknown = { service, serviceScaling: service, pipe, organization }[kind];
  const [path, value] = shows ?? ["", undefined];
  const has = path.split(".").reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], found);
  return has === value;
}

/** The requests that reach the server, the faulty one repeated as its course says. */
function journey({ plan, meets, looks }: Situation, course: Course, times: Times, { lands, trouble }: Fault) {
  const request = plan[meets] ?? "";
  const before = plan.slice(0, meets);
  const rest = plan.slice(meets + 1);
  const isSeen = trouble !== "refused";
  const failures = { once: 1, forever: course === "again" || course === "looks" ? ALL_ATTEMPTS : 1 }[times];
  if (course === "waits" || course === "readies") {
    return times === "once" ? [...before, request, request, ...rest] : [...before, request];
  }
  if (course === "looks" && lands) return [...before, request, looks, ...rest];
  const attempts = Array(isSeen ? failures : 0).fill(request);
  const withLooks = course === "looks" ? attempts.flatMap((each, index) => (index ? [looks, each] : [each])) : attempts;
  if (!isRepeated(course)) return [...before, ...withLooks, ...(course === "unseen" ? rest : [])];
  if (times === "forever") return [...before, ...withLooks];
  return [...before, ...withLooks, ...(course === "looks" ? [looks] : []), request, ...rest];
}

const withoutRepeats = (requests: readonly string[]) => requests.filter((each, index) => each !== requests[index - 1]);

const isRepeated = (course: Course) => ["again", "looks", "waits", "readies"].includes(course);

/** Whether the command ends well. */
function succeeds(course: Course, times: Times, { lands }: Fault): boolean {
  if (course === "gone" || course === "unseen" || (course === "looks" && lands)) return true;
  return isRepeated(course) && times === "once";
}

/** What the next `pulumi up` has to send when the server is well again. */
function restOf(situation: Situation, course: Course, { isCertain, lands }: Fault, stored: Stored | undefined) {
  const { plan, meets, looks, sort, kind, before } = situation;
  if (situation.isRefresh) return [];
  if (sort === "create" && course !== "ends" && !isCertain) return lands ? [looks] : plan;
  if (stored === undefined || (before === undefined && meets === 0 && kind !== "organization")) return plan;
  const open = plan.slice(meets);
  if (isCertain || looks === undefined) return open;
  return [looks, ...(lands ? open.slice(1) : open)];
}

/** What was being done, what happened, what is now true, and what to do; no secrets, traces or pages. */
function expectReadable(situation: Situation, course: Course, fault: Fault, message: string): void {
  const { sort, plan, meets } = situation;
  expect(message).toMatch(/^(Creating|Updating|Adopting|Reading) [^:]+/);
  expect(message).toContain(`(${plan[meets]?.split(" ")[0]} /v1/`);
  expect(message).not.toMatch(/<\w|\bat .*\(.*:\d+:\d+\)|undefined|\[object/);
  expect(message).not.toContain(simulator.keySecret);
  expect(message).toMatch(/\.$/);
  if (isRepeated(course)) expect(message).toMatch(/, after \d+ attempts\)/);
  const isWrite = ["set", "list", "blind"].includes(sort);
  if (sort === "create")
    expect(message).toContain(fault.isCertain ? "Nothing was created." : "may still have been created");
  else if (isWrite) expect(message).toMatch(fault.isCertain ? /Not done: / : /Not confirmed: /);
  else expect(message).toContain("Nothing was changed.");
}

const cells = Object.entries(situations).flatMap(([name, situation]) =>
  (Object.keys(faults(now)) as FaultName[]).flatMap((fault) =>
    TIMES.map((times) => ({ name, situation, fault, times, course: expected[fault][situation.sort] })),
  ),
);

describe.each(Object.keys(situations))("%s", (situationName) => {
  test.each(cells.filter(({ name }) => name === situationName))("$fault, $times: $course", async (cell) => {
    const { situation, times, course } = cell;
    const { kind, args, plan, meets, sort, isRefresh } = situation;
    const fault: Fault = faults(now)[cell.fault];
    await api.reset();
    const start = situation.before && (await upIn(situation, situation.before, undefined)).stored;
    const isNew = sort === "create" || (plan[0]?.startsWith("POST") ?? false);
    const services = (await api.services()).length + (isNew ? 1 : 0);
    asked();

    // The command that meets the fault.
    const [method = ""] = plan[meets]?.split(" ") ?? [];
    const path = plan[meets]?.includes("replicaScaling") ? "replicaScaling" : "/v1/organizations/";
    const count = times === "once" ? { times: 1 } : {};
    if (fault.effect) await api.faults({ method, path, effect: fault.effect, ...count });
    if (fault.trouble) inTrouble({ kind: fault.trouble, method, path, ...count });
    const { stored, error } = await (isRefresh && start ? refreshIn(situation, start) : upIn(situation, args, start));
    inTrouble(undefined);
    await api.faults();

    const waitedMs = clock.now() - STARTED_AT;
    const sent = asked();
    const isWell = succeeds(course, times, fault);
    const ending = `${course}, ${times}: ${isWell ? "done" : "told"}`;
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
    const way = journey(situation, course, times, fault);
    // How often something is sent again is a matter of the waits.
    const isPatient = times === "forever" && (course === "waits" || course === "readies");
    expect(isPatient ? withoutRepeats(sent) : sent).toEqual(way);
    expect(sent.length).toBeLessThan(MOST_REQUESTS);
    const isUrgent = plan.slice(0, meets).some((each) => !each.startsWith("GET"));
    if (course === "waits" || course === "readies") {
      expect(waitedMs).toBeLessThanOrEqual(LONGEST_MS[course][isUrgent ? 1 : 0] ?? 0);
      if (times === "forever" && !isUrgent) expect(waitedMs).toBeGreaterThan(60_000);
    } else expect(waitedMs).toBeLessThanOrEqual(60_000);
    expect(error === undefined).toBe(isWell);
    if (error) expectReadable(situation, course, fault, error.message);
    if (situation.shows) expect(await isDone(situation)).toBe(isWell || fault.lands);
    if (course === "gone") {
      expect(stored).toBeUndefined();
      expect(said.join()).toContain("no longer exists");
      return;
    }
    if (start !== undefined) expect(stored?.outputs.password).toBe(start.outputs.password);
    else if (isNew && stored !== undefined) expect(stored.outputs.password).toEqual(expect.stringMatching(/.{20}/));
    if (course === "unseen") return;

    // The next one, as the message says.
    const isOrphan = sort === "create" && error !== undefined && fault.lands;
    const next = isOrphan ? { ...args, existingServiceId: (await api.services()).at(-1)?.id } : args;
    const after = await upIn(situation, next, stored);
    expect(after.error).toBeUndefined();
    expect(asked()).toEqual(error ? restOf(situation, course, fault, stored) : []);
    if (situation.shows) expect(await isDone(situation)).toBe(true);
    if (kind === "service") expect(await api.services()).toHaveLength(services);

    const last = await upIn(situation, next, after.stored);
    expect([last.did, asked()]).toEqual(["same", []]);
  });
});
