import { resources } from "../../provider/resources/index";
import type { State } from "../../simulator/state/state";
import { environmentFor, fakeClock, STARTED_AT } from "../contract/support";
import { type ConnectedAdapter, connectAdapter } from "../support/adapters/connected";
import type {
  AdapterProcess,
  Handlers,
  Properties,
  ResourceType,
} from "../support/adapters/handlers";
import { shown } from "../support/adapters/values";
import { refresh, type StepResult, up } from "../support/engine/resource";
import type { Stored } from "../support/engine/state";
import { findObject } from "../support/example";
import { trustTestCertificate } from "../support/local-server";
import { injectNetworkFault, openRoutes, type Route, takeSentRequests } from "../support/network";
import { createWitness, requestLines } from "../witness/witness";
import { expected, type Fault, type FaultName, faults, type Outcome } from "./expectation";
import { type Server, startServer } from "./model/server";
import { type Situation, seed, situations } from "./situations";

/**
 * Every fault at every request of every operation, over a connection to the adapter: the requests,
 * the state, the error message, and that the next `pulumi up` finishes the job with the fewest
 * requests.
 */

const TIMES = ["once", "forever"] as const;
type Times = (typeof TIMES)[number];

/** Attempts until the retries run out; tests allow three retries. */
const ALL_ATTEMPTS = 4;
const MOST_REQUESTS = 50;
/** The longest wait of a command: if nothing has been changed yet, and otherwise. */
const LONGEST_MS = { throttle: [10 * 60_000, 60_000], "await-ready": [2 * 60_000, 2 * 60_000] };

let server: Server;
let adapter: ConnectedAdapter;
let running: AdapterProcess;
let clock = fakeClock();
let routes: Awaited<ReturnType<typeof openRoutes>>;
let route: Route;
const now = STARTED_AT;
const counts = new Map<string, number>();

beforeAll(async () => {
  server = await startServer(seed);
  adapter = await connectAdapter();
  routes = await openRoutes(server.baseUrl);
  trustTestCertificate();
  jest.replaceProperty(process, "env", { ...process.env, HTTPS_PROXY: routes.proxyUrl });
});
afterAll(async () => {
  jest.restoreAllMocks();
  adapter.close();
  await server.close();
  const lines = [...counts]
    .sort()
    .map(([outcome, count]) => `  ${String(count).padStart(4)}  ${outcome}`);
  process.stdout.write(`The fault matrix:\n${lines.join("\n")}\n`);
});

/** A new plugin process: each command has its own. */
async function startProcess(type: ResourceType): Promise<Handlers> {
  clock = fakeClock();
  running = await adapter.restart({
    environment: environmentFor({ ...server, baseUrl: routes[route] }),
    clock,
    random: () => 1,
  });
  return running.handlersFor(type);
}

async function runUp(
  { type }: Situation,
  args: Properties,
  stored: Stored | undefined,
): Promise<StepResult> {
  return up(await startProcess(type), stored, args);
}

async function runRefresh({ type }: Situation, stored: Stored): Promise<StepResult> {
  return refresh(await startProcess(type), stored);
}

/** The stack and the server after the earlier command of a situation: no fault hits it. */
const starts = new Map<Situation, { readonly stored: Stored | undefined; readonly state: State }>();

/** Starts again with what the situation finds: its resource, if an earlier command declared it. */
async function prepare(situation: Situation): Promise<Stored | undefined> {
  await server.reset();
  if (situation.before === undefined) return undefined;
  let start = starts.get(situation);
  if (start === undefined) {
    const { stored } = await runUp(situation, situation.before, undefined);
    start = { stored, state: server.simulation.state };
    starts.set(situation, start);
  }
  server.simulation.state = start.state;
  server.simulation.journal.clear();
  return start.stored;
}

/** The requests that reached the server since the last call. */
const receivedRequests = () =>
  takeSentRequests().flatMap(({ request, status }) => (status === 0 ? [] : [request]));

/** True if the server has applied the request. */
function hasApplied({ applied, type, args }: Situation): boolean {
  const organization = server.organization();
  const { id, create } = resources[type].definition;
  const implied = create ? organization.services.at(-1) : organization;
  const current: unknown = args[id] === undefined ? implied : findObject(organization, args[id]);
  const [path, value] = applied ?? ["", undefined];
  const has = path
    .split(".")
    .reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], current);
  return has === value;
}

/** The requests that reach the server, the faulty one repeated as its outcome says. */
function expectedRequests(
  { requests, faultAt, read }: Situation,
  outcome: Outcome,
  times: Times,
  { isApplied, networkFault }: Fault,
) {
  const request = requests[faultAt] ?? "";
  const before = requests.slice(0, faultAt);
  const rest = requests.slice(faultAt + 1);
  const isReceived = networkFault === undefined || networkFault === "times out";
  const failures = {
    once: 1,
    forever: outcome === "retry" || outcome === "verify" ? ALL_ATTEMPTS : 1,
  }[times];
  if (outcome === "throttle" || outcome === "await-ready") {
    return times === "once" ? [...before, request, request, ...rest] : [...before, request];
  }
  if (outcome === "verify" && isApplied) return [...before, request, read, ...rest];
  const attempts: string[] = Array(failures).fill(request);
  const withReads = attempts
    .flatMap((attempt, index) => (outcome === "verify" && index ? [read, attempt] : [attempt]))
    .filter((sent) => isReceived || sent !== request);
  if (!isRetried(outcome))
    return [...before, ...withReads, ...(outcome === "unnoticed" ? rest : [])];
  if (times === "forever") return [...before, ...withReads];
  return [...before, ...withReads, ...(outcome === "verify" ? [read] : []), request, ...rest];
}

const withoutRepetitions = (requests: readonly string[]) =>
  requests.filter((request, index) => request !== requests[index - 1]);

const isRetried = (outcome: Outcome) =>
  ["retry", "verify", "throttle", "await-ready"].includes(outcome);

function shouldSucceed(outcome: Outcome, times: Times, { isApplied }: Fault): boolean {
  if (outcome === "gone" || outcome === "unnoticed" || (outcome === "verify" && isApplied))
    return true;
  return isRetried(outcome) && times === "once";
}

/** The requests that the next `pulumi up` should send once the server works again. */
function remainingRequests(
  situation: Situation,
  outcome: Outcome,
  { isCertain, isApplied }: Fault,
  stored: Stored | undefined,
) {
  const { requests, faultAt, read, requestKind, type, before } = situation;
  if (situation.isRefresh) return [];
  if (requestKind === "create" && outcome !== "fail" && !isCertain)
    return isApplied ? [read] : requests;
  if (stored === undefined || (before === undefined && faultAt === 0 && type !== "Organization"))
    return requests;
  const unfinished = requests.slice(faultAt);
  // A ServiceAccess reads before each change. The read may be older than a removal, which is
  // repeated.
  if (type === "ServiceAccess") {
    const isDone = faultAt === 0 || (isApplied && before === undefined);
    return [read, ...(isDone ? unfinished.slice(1) : unfinished)];
  }
  if (isCertain || read === undefined) return unfinished;
  return [read, ...(isApplied ? unfinished.slice(1) : unfinished)];
}

/** Check that a message has its four parts, and no secrets, stack traces or HTML pages. */
function expectReadable(
  situation: Situation,
  outcome: Outcome,
  fault: Fault,
  message: string,
): void {
  const { requestKind, requests, faultAt } = situation;
  expect(message).toMatch(/^(Creating|Updating|Adopting|Adding|Reading) [^:]+/);
  expect(message).toContain(`(${requests[faultAt]?.split(" ")[0]} /v1/`);
  expect(message).not.toMatch(/<\w|\bat .*\(.*:\d+:\d+\)|undefined|\[object/);
  expect(message).not.toContain(server.keySecret);
  expect(message).toMatch(/^(?!.*\[CDB.*\[CDB).*\. \[CDB\d{4}\]$/s);
  if (isRetried(outcome)) expect(message).toMatch(/, after \d+ attempts\)/);
  const isWrite = ["update", "list", "unreadable"].includes(requestKind);
  if (requestKind === "create")
    expect(message).toContain(
      fault.isCertain ? "Nothing was created." : "may still have been created",
    );
  else if (isWrite) expect(message).toMatch(fault.isCertain ? /Not done: / : /Not confirmed: /);
  else expect(message).toContain("Nothing was changed.");
}

/** The first situation of each kind of request. */
const samples = new Set(
  Object.values(situations).filter(
    ({ requestKind }, index, all) =>
      all.findIndex((other) => other.requestKind === requestKind) === index,
  ),
);

/** Connections with TLS take time: their faults hit the samples alone. */
const isHit = ({ route = "http" }: Fault, situation: Situation) =>
  route === "http" || samples.has(situation);

const cells = Object.entries(situations).flatMap(([name, situation]) =>
  (Object.entries(faults(now)) as [FaultName, Fault][])
    .filter(([, fault]) => isHit(fault, situation))
    .flatMap(([fault]) =>
      TIMES.map((times) => ({
        name,
        situation,
        fault,
        times,
        outcome: expected[fault][situation.requestKind],
      })),
    ),
);

describe.each(Object.keys(situations))("%s", (situationName) => {
  const witness = createWitness();
  const connections = createWitness();
  const situation = situations[situationName];
  test.each(cells.filter(({ name }) => name === situationName))(
    "$fault, $times: $outcome",
    async (cell) => {
      const { situation, times, outcome } = cell;
      const { type, args, requests, faultAt, requestKind, isRefresh } = situation;
      const fault: Fault = faults(now)[cell.fault];
      route = fault.route ?? "http";
      const start = await prepare(situation);
      const isNew = requestKind === "create" || (requests[0]?.startsWith("POST") ?? false);
      const { services } = server.organization();
      receivedRequests();

      // The command that hits the fault.
      const [method = ""] = requests[faultAt]?.split(" ") ?? [];
      const path = requests[faultAt]?.includes("replicaScaling")
        ? "replicaScaling"
        : "/v1/organizations/";
      const count = times === "once" ? { times: 1 } : {};
      if (fault.effect) server.faults({ method, path, effect: fault.effect, ...count });
      if (fault.networkFault)
        injectNetworkFault({ kind: fault.networkFault, method, path, ...count });
      const { stored, error } = await (isRefresh && start
        ? runRefresh(situation, start)
        : runUp(situation, args, start));
      injectNetworkFault(undefined);
      server.faults();

      const waitedMs = clock.now() - STARTED_AT;
      (fault.route ? connections : witness).add(cell.fault, times, outcome, {
        // The adapter's own round trip outlasts the end of a response, which adds the entry.
        requests: requestLines(server.simulation.journal.list()),
        error: error?.message,
        messages: running.messages,
        stored: fault.route ? undefined : stored,
      });
      const sent = receivedRequests();
      const isSuccess = shouldSucceed(outcome, times, fault);
      const result = `${outcome}, ${times}: ${isSuccess ? "succeeded" : "failed"}`;
      counts.set(result, (counts.get(result) ?? 0) + 1);
      const expectedSent = expectedRequests(situation, outcome, times, fault);
      // The number of retries depends on the waits.
      const isOpenEnded =
        times === "forever" && (outcome === "throttle" || outcome === "await-ready");
      expect(isOpenEnded ? withoutRepetitions(sent) : sent).toEqual(expectedSent);
      expect(sent.length).toBeLessThan(MOST_REQUESTS);
      const isUrgent = requests.slice(0, faultAt).some((request) => !request.startsWith("GET"));
      if (outcome === "throttle" || outcome === "await-ready") {
        expect(waitedMs).toBeLessThanOrEqual(LONGEST_MS[outcome][isUrgent ? 1 : 0] ?? 0);
        if (times === "forever" && !isUrgent) expect(waitedMs).toBeGreaterThan(60_000);
      } else expect(waitedMs).toBeLessThanOrEqual(60_000);
      expect(error === undefined).toBe(isSuccess);
      if (error) expectReadable(situation, outcome, fault, error.message);
      if (situation.applied) expect(hasApplied(situation)).toBe(isSuccess || fault.isApplied);
      if (outcome === "gone") {
        expect(stored).toBeUndefined();
        expect(running.messages.join()).toContain("no longer exists");
        return;
      }
      if (stored?.outputs.password)
        expect(JSON.stringify([shown(stored.inputs), shown(stored.outputs)])).not.toContain(
          stored.outputs.password,
        );
      if (start !== undefined) expect(stored?.outputs.password).toBe(start.outputs.password);
      else if (isNew && stored !== undefined)
        expect(stored.outputs.password).toEqual(expect.stringMatching(/.{20}/));
      if (outcome === "unnoticed") return;

      // The next command, as the message advises.
      const isOrphan = requestKind === "create" && error !== undefined && fault.isApplied;
      const next = isOrphan
        ? { ...args, existingServiceId: server.organization().services.at(-1)?.id }
        : args;
      const after = await runUp(situation, next, stored);
      expect(after.error).toBeUndefined();
      expect(receivedRequests()).toEqual(
        error ? remainingRequests(situation, outcome, fault, stored) : [],
      );
      if (situation.applied) expect(hasApplied(situation)).toBe(true);
      if (type === "Service")
        expect(server.organization().services).toHaveLength(services.length + (isNew ? 1 : 0));

      const last = await runUp(situation, next, after.stored);
      expect([last.action, receivedRequests()]).toEqual(["same", []]);
    },
  );

  test("the behavior is as recorded", () => {
    expect(witness.groups()).toMatchSnapshot();
    if (situation !== undefined && samples.has(situation))
      expect(connections.groups()).toMatchSnapshot("connections");
  });
});
