import { startProgram } from "../support/adapters/functions";
import type { Properties } from "../support/adapters/handlers";
import { environmentOf, simulated, type TestApi } from "../support/api";
import { injectNetworkFault, takeSentRequests } from "../support/network";
import { expected, type Fault, type FaultName, faults, type Outcome } from "./expectation";
import { ADOPTED, POSTGRES, seed } from "./situations";

/**
 * Every fault at the one request of every function: the requests, and the error that a program
 * gets.
 */

let mockNow = Date.parse("2026-11-21T10:00:00Z");
jest.mock("../../provider/hosts/process", () => ({
  ...jest.requireActual("../../provider/hosts/process"),
  clock: {
    now: () => mockNow,
    sleep: async (ms: number) => {
      mockNow += ms;
    },
  },
}));

const pipe = { serviceId: ADOPTED, pipeId: POSTGRES };
const functions: Record<string, Properties> = {
  getService: { serviceId: ADOPTED },
  getPipe: pipe,
  getPipeSettings: pipe,
  getAlert: { id: "alert-errors" },
  getDashboards: {},
};
/** Functions whose responses have no id to compare with the request. */
const WITHOUT_ID = ["getPipeSettings", "getDashboards"];
const MOST_REQUESTS = 50;

let api: TestApi;

beforeAll(async () => {
  const alerts = [{ id: "alert-errors", name: "Errors", threshold: 25 }];
  api = await simulated({ seed: { ...seed, alerts: alerts as never } });
  Object.assign(process.env, environmentOf(api), {
    CLOUDDB_REQUEST_TIMEOUT_SECONDS: "5",
    CLOUDDB_MAX_RETRIES: "3",
  });
});

/** True for faults over http: the fault matrix has those of other routes. */
const isDirect = (fault: FaultName) =>
  ["http", undefined].includes((faults(mockNow)[fault] as Fault).route);

const cells = Object.keys(functions).flatMap((name) =>
  (Object.keys(faults(mockNow)) as FaultName[]).filter(isDirect).flatMap((fault) => {
    const outcome: Outcome =
      fault === "wrong id" && WITHOUT_ID.includes(name) ? "unnoticed" : expected[fault].read;
    return (["once", "forever"] as const).map((times) => ({ name, fault, times, outcome }));
  }),
);

test.each(cells)(
  "$name, $fault, $times: $outcome",
  async ({ name, fault: faultName, times, outcome }) => {
    const fault: Fault = faults(mockNow)[faultName];
    const count = times === "once" ? { times: 1 } : {};
    if (fault.effect) await api.faults({ effect: fault.effect, ...count });
    if (fault.networkFault) injectNetworkFault({ kind: fault.networkFault, ...count });
    takeSentRequests();
    const result = await startProgram()
      .call(name, functions[name] ?? {})
      .catch((error: Error) => error);
    injectNetworkFault(undefined);
    await api.faults();

    const isRetried = outcome === "retry" || outcome === "throttle";
    const shouldSucceed = outcome === "unnoticed" || (isRetried && times === "once");
    const sent = takeSentRequests().length;
    if (outcome === "throttle" && times === "forever") {
      expect(sent).toBeGreaterThan(1);
      expect(sent).toBeLessThan(MOST_REQUESTS);
    } else expect(sent).toBe(isRetried ? { once: 2, forever: 4 }[times] : 1);

    expect(result instanceof Error).toBe(!shouldSucceed);
    if (!(result instanceof Error)) return;
    expect(result.message).toMatch(/^Reading .*\. \[CDB\d{4}\]$/);
    expect(result.message).not.toMatch(/<\w|\bat .*\(.*:\d+:\d+\)|undefined|\[object/);
    for (const secret of [api.keySecret, api.accessToken])
      expect(result.message).not.toContain(secret);
  },
);

test("a property of an undocumented type is omitted from the result, with one warning", async () => {
  await api.faults({
    effect: { kind: "answer", result: { numReplicas: "many", novelty: 1, iamRole: null } },
  });
  const { call, messages } = startProgram();
  const current = await call("getService", { serviceId: ADOPTED });
  await api.faults();
  expect(current).toMatchObject({ id: ADOPTED, idleScaling: expect.any(Boolean) });
  for (const name of ["numReplicas", "novelty", "iamRole"])
    expect(Object.keys(current)).not.toContain(name);
  expect(messages).toEqual([
    `The API's response for service ${ADOPTED} has a value of an undocumented type in numReplicas; it was ignored. [CDB3011]`,
  ]);
});
