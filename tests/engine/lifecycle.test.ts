import { ADAPTER } from "../support/adapters/adapter";
import { expectOk, newStack, simulated, storedService, typeOf } from "./support/stack";

const OFFICE = { source: "203.0.113.0/24", description: "office" };
const CI = { source: "198.51.100.7", description: "ci" };
const service = (args: object, name = "analytics-db") => `
  const db = new clouddb.Service("${name}", ${JSON.stringify(args)});
  exports.id = db.id;
  exports.password = db.password;
`;

test("the lifecycle of a service, request by request", async () => {
  const api = await simulated();
  const first = { provider: "aws", region: "us-east-1", numReplicas: 2, ipAccessList: [OFFICE] };
  const stack = await newStack(api, service(first));
  const sentRequests = async () => (await api.requests()).map(({ request, body }) => [request, body]);

  // The preview shows the whole creation, and sends no request.
  const plan = await expectOk(stack.preview());
  expect(plan).toMatch(/name\s*: "analytics db"/);
  expect(plan).toContain("+ 2 to create");
  expect(await sentRequests()).toEqual([]);

  await expectOk(stack.up());
  expect(await sentRequests()).toEqual([["POST /services", { name: "analytics db", ...first }]]);
  const [onServer] = await api.services();
  const stored = await storedService(stack);
  expect(stored.id).toBe(onServer?.id);
  expect(stored.inputs?.__provider).toBe(
    { dynamic: 'exports.handler=()=>require("pulumi-clouddb/runtime").service', native: undefined }[ADAPTER],
  );
  expect(stored.inputs).not.toHaveProperty("__resourceName");
  expect(stored.outputs?.password).toHaveProperty("ciphertext");
  const output = await expectOk(stack.pulumi("stack", "output", "password", "--show-secrets"));
  expect(output.trim()).toMatch(/^\S{20,}$/);

  // Nothing to do: no request from a preview or an up.
  expect(await expectOk(stack.preview("--expect-no-changes"))).toContain("2 unchanged");
  await expectOk(stack.up("--expect-no-changes"));
  expect(await sentRequests()).toEqual([]);
  await expectOk(stack.refresh("--expect-no-changes"));
  expect(await sentRequests()).toEqual([["GET /services/{id}", null]]);

  // An added entry is shown and sent as one entry.
  stack.program(service({ ...first, ipAccessList: [CI, OFFICE] }));
  const oneEntry = await expectOk(stack.preview());
  expect(oneEntry).toMatch(/~ ipAccessList: \[\s+\+ \[1\]: \{/);
  for (const text of ["office", "__urn"]) expect(oneEntry).not.toContain(text);
  await expectOk(stack.up());
  expect(await sentRequests()).toEqual([["PATCH /services/{id}", { ipAccessList: { add: [CI] } }]]);

  // One update for each endpoint, and one for both.
  const wanted = { ...first, ipAccessList: [CI, OFFICE] };
  for (const [change, requests] of [
    [{ numReplicas: 4 }, [["PATCH /services/{id}/replicaScaling", { numReplicas: 4 }]]],
    [{ name: "renamed" }, [["PATCH /services/{id}", { name: "renamed" }]]],
    [
      { releaseChannel: "fast", idleScaling: false, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 64 },
      [
        ["PATCH /services/{id}", { releaseChannel: "fast" }],
        ["PATCH /services/{id}/replicaScaling", { idleScaling: false, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 64 }],
      ],
    ],
    [
      { endpoints: [{ protocol: "mysql", enabled: false }], privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] },
      [
        [
          "PATCH /services/{id}",
          {
            endpoints: [{ protocol: "mysql", enabled: false }],
            privateEndpointIds: { add: ["vpce-0a1b2c3d4e5f60001"] },
          },
        ],
      ],
    ],
  ] as const) {
    Object.assign(wanted, change);
    stack.program(service(wanted));
    await expectOk(stack.up());
    expect(await sentRequests()).toEqual(requests);
  }

  // Drift of declared values is shown and repaired; undeclared ones are ignored.
  const id = String(onServer?.id);
  await api.change("PATCH", `/${id}`, { ipAccessList: { add: [{ source: "192.0.2.1", description: "stranger" }] } });
  await api.change("PATCH", `/${id}/replicaScaling`, { numReplicas: 9, idleTimeoutMinutes: 99 });
  const drift = await expectOk(stack.refresh());
  expect(drift).toMatch(/numReplicas\s*: 4 => 9/);
  expect(drift).toContain("stranger");
  expect(drift).not.toContain("idleTimeoutMinutes");
  const repair = await expectOk(stack.preview());
  expect(repair).toMatch(/numReplicas\s*: 9 => 4/);
  await api.requests();
  await expectOk(stack.up());
  expect(await sentRequests()).toEqual([
    ["PATCH /services/{id}", { ipAccessList: { remove: [{ source: "192.0.2.1", description: "stranger" }] } }],
    ["PATCH /services/{id}/replicaScaling", { numReplicas: 4 }],
  ]);
  const password = await expectOk(stack.pulumi("stack", "output", "password", "--show-secrets"));
  expect(password).toBe(output);
});

test("another spelling in the server's responses causes no change", async () => {
  const api = await simulated();
  const stack = await newStack(
    api,
    service({ region: "us-east-1", isReadonly: false, ipAccessList: [{ source: "198.51.100.7" }] }),
  );
  const answer = { ipAccessList: [{ source: "198.51.100.7/32", description: "" }], isReadonly: true };
  await api.faults({ effect: { kind: "answer", result: answer } });
  await expectOk(stack.up());
  await expectOk(stack.preview("--expect-no-changes"));
  await expectOk(stack.refresh("--expect-no-changes"));
  await expectOk(stack.up("--expect-no-changes"));
  expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services", "GET /services/{id}"]);
});

test("the next up finishes a creation that failed after its first request", async () => {
  const api = await simulated();
  const stack = await newStack(api, service({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] }));
  await api.faults({ method: "PATCH", effect: { kind: "status", status: 403 } });
  const { code, output } = await stack.up();
  expect(code).not.toBe(0);
  expect(output).toContain("Not done: privateEndpointIds.");
  expect((await storedService(stack)).outputs?.password).toHaveProperty("ciphertext");
  await api.faults();
  await expectOk(stack.refresh());
  await api.requests();
  expect(await expectOk(stack.preview())).toContain("1 to update");
  await expectOk(stack.up());
  expect((await api.requests()).map(({ request }) => request)).toEqual(["PATCH /services/{id}"]);
  expect(await api.services()).toHaveLength(1);
});

test("a service that no longer exists is removed from state with a message", async () => {
  const api = await simulated();
  const stack = await newStack(api, service({}));
  await expectOk(stack.up());
  await api.reset();
  const output = await expectOk(stack.refresh());
  expect(output).toMatch(/Service .* \("analytics db"\) of organization .* no longer exists/);
  expect((await stack.resources()).filter(({ type }) => type === typeOf("Service"))).toEqual([]);
});
