import exampleSeed from "../../simulator/seeds/example.json";
import { expectFailure, expectOk, newStack, simulated } from "./support/stack";

/** A part of the fault matrix (tests/faults) as a user meets it: on the real CLI, several faults in one update. */

const SERVICE = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const SIZED = "a1b2c3d4-0002-4a53-9c1e-000000000002";
const PIPE = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const AT_ONCE = ["--continue-on-error", "--diff"];

const program = (found = "") => `
  new clouddb.Service("lost", { region: "us-east-1", numReplicas: 3, ${found} });
  new clouddb.Service("adopted", { existingServiceId: "${SERVICE}", ipAccessList: [{ source: "198.51.100.9" }] });
  new clouddb.ServiceScaling("size", { serviceId: "${SIZED}", numReplicas: 4 });
  new clouddb.Pipe("orders", { serviceId: "${SERVICE}", pipeId: "${PIPE}", name: "all orders" });
  new clouddb.Organization("us", { name: "Renamed" });
`;

test("several faults in one update: each resource says what is true of it, and the next update does the rest", async () => {
  const api = await simulated({ seed: exampleSeed as never });
  const stack = await newStack(api, program());
  const page = { kind: "status", status: 502, body: "<html>Bad gateway</html>" } as const;
  const nothing = { kind: "latency", milliseconds: 0 } as const;
  await api.faults(
    { method: "POST", effect: { kind: "reset", when: "after" } },
    { method: "PATCH", path: "replicaScaling", effect: { kind: "status", status: 403 } },
    { method: "PATCH", path: PIPE, times: 1, effect: { kind: "status", status: 409 } },
    { path: "/pipes/", effect: nothing },
    { method: "PATCH", path: SERVICE, times: 1, effect: { kind: "status", status: 504, when: "after" } },
    { path: "/services", effect: nothing },
    { method: "PATCH", times: 2, effect: page },
  );
  const output = await expectFailure(stack.up(...AT_ONCE));
  expect(output).toMatch(/Creating service "lost" in organization .*: the connection was lost: ECONNRESET \(POST \/v1/);
  expect(output).toMatch(/It may have been created all the same, at 20\d\d-/);
  expect(output).toMatch(/Taking over scaling of service .*: the API returned 403, FAULT: .*Not done: numReplicas\./);
  expect(output).toContain("Give the key the permission it lacks, or use another.");
  expect(output).not.toMatch(/<html>|\n\s+at |undefined/);
  const sent = (await api.requests()).map(({ request }) => request);
  expect(sent.filter((each) => each.startsWith("POST"))).toHaveLength(1);
  expect(sent.filter((each) => each === "PATCH ")).toHaveLength(3);

  await api.faults();
  const lost = (await api.services()).find(({ name }) => name === "lost");
  stack.program(program(`existingServiceId: "${lost?.id}"`));
  await expectOk(stack.up(...AT_ONCE));
  expect((await api.requests()).map(({ request }) => request).sort()).toEqual([
    "GET /services/{id}",
    "PATCH /services/{id}/replicaScaling",
  ]);
  expect((await api.services()).filter(({ name }) => name === "lost")).toHaveLength(1);
  expect(await expectOk(stack.preview())).toMatch(/Resources:\s+6 unchanged/);
});

test("twenty services under a rate limit: one burst of refusals, a line that says why, and all are there", async () => {
  const api = await simulated({ rateLimit: { requests: 10, seconds: 5 } });
  const stack = await newStack(
    api,
    'for (let i = 0; i < 20; i++) new clouddb.Service("db-" + i, { region: "us-east-1" });',
  );
  const output = await expectOk(stack.up("--parallel", "16"));
  const statuses = (await api.requests()).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(10);
  expect(output).toMatch(/The API's rate limit was reached; all requests are paused for [3-5] s\./);
});
