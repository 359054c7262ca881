import { ADAPTER } from "../support/adapters/handlers";
import { expectFailure, newStack, simulated, storedService, storedServices } from "./support/stack";

const OFFICE = { source: "203.0.113.0/24", description: "office" };
const CI = { source: "198.51.100.7", description: "ci" };
const service = (args: object) => `
  const db = new clouddb.Service("analytics-db", ${JSON.stringify(args)});
  exports.id = db.id;
  exports.password = db.password;
`;

test("a service is created, updated, refreshed and released with the expected requests", async () => {
  const api = await simulated();
  const first = { provider: "aws", region: "us-east-1", numReplicas: 2, ipAccessList: [OFFICE] };
  const stack = await newStack(api, service(first));
  // The preview shows the whole creation, and sends no request.
  const plan = await stack.preview();
  expect(plan).toMatch(/name\s*: "analytics db"/);
  expect(plan).toContain("+ 2 to create");
  expect(await api.sent()).toEqual([]);

  await stack.up();
  expect(await api.sent()).toEqual([["POST /services", { name: "analytics db", ...first }]]);
  const [onServer] = await api.services();
  const stored = await storedService(stack);
  expect(stored.id).toBe(onServer?.id);
  expect(stored.inputs?.__provider).toBe(
    { dynamic: 'exports.handler=()=>require("pulumi-clouddb/runtime").service', native: undefined }[
      ADAPTER
    ],
  );
  expect(stored.inputs).not.toHaveProperty("__resourceName");
  expect(stored.outputs?.password).toHaveProperty("ciphertext");
  const password = () => stack.pulumi("stack", "output", "password", "--show-secrets");
  const firstPassword = await password();
  expect(firstPassword.trim()).toMatch(/^\S{20,}$/);

  await stack.up("--expect-no-changes");
  expect(await api.sent()).toEqual([]);

  // An added entry is shown and sent as one entry, and each endpoint of the API gets one request.
  const wanted = { ...first, numReplicas: 4, releaseChannel: "fast", ipAccessList: [CI, OFFICE] };
  stack.program(service(wanted));
  const oneEntry = await stack.preview();
  expect(oneEntry).toMatch(/~ ipAccessList\s*: \[\s+\+ \[1\]: \{/);
  for (const text of ["office", "__urn"]) expect(oneEntry).not.toContain(text);
  await stack.up();
  expect(await api.sent()).toEqual([
    ["PATCH /services/{id}", { releaseChannel: "fast", ipAccessList: { add: [CI] } }],
    ["PATCH /services/{id}/replicaScaling", { numReplicas: 4 }],
  ]);

  // Drift of declared values is shown and repaired; undeclared ones are ignored.
  const id = String(onServer?.id);
  await api.change("PATCH", `/${id}`, {
    ipAccessList: { add: [{ source: "192.0.2.1", description: "stranger" }] },
  });
  await api.change("PATCH", `/${id}/replicaScaling`, { numReplicas: 9, idleTimeoutMinutes: 99 });
  const drift = await stack.refresh();
  expect(drift).toMatch(/numReplicas\s*: 4 => 9/);
  expect(drift).toContain("stranger");
  expect(drift).not.toContain("idleTimeoutMinutes");
  const repair = await stack.preview();
  expect(repair).toMatch(/numReplicas\s*: 9 => 4/);
  await api.requests();
  await stack.up();
  expect(await api.sent()).toEqual([
    [
      "PATCH /services/{id}",
      { ipAccessList: { remove: [{ source: "192.0.2.1", description: "stranger" }] } },
    ],
    ["PATCH /services/{id}/replicaScaling", { numReplicas: 4 }],
  ]);
  expect(await password()).toBe(firstPassword);

  expect(await expectFailure(stack.destroy())).toContain("cannot be deleted");
  expect(await api.sent()).toEqual([]);

  // A service that no longer exists is removed from the state with a message.
  await api.reset();
  const output = await stack.refresh();
  expect(output).toMatch(/Service .* \("analytics db"\) of organization .* no longer exists/);
  expect(await storedServices(stack)).toEqual([]);
});

test("the next up finishes a creation that failed after its first request", async () => {
  const api = await simulated();
  const stack = await newStack(api, service({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] }));
  await api.faults({ method: "PATCH", effect: { kind: "status", status: 403 } });
  expect(await expectFailure(stack.up())).toContain("Not done: privateEndpointIds.");
  expect((await storedService(stack)).outputs?.password).toHaveProperty("ciphertext");
  await api.faults();
  await stack.refresh();
  await api.requests();
  await stack.up();
  expect(await api.requestNames()).toEqual(["PATCH /services/{id}"]);
  expect(await api.services()).toHaveLength(1);
});
