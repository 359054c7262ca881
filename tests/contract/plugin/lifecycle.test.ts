import { plain } from "../../support/adapters/values";
import { failureOf } from "../support";
import { requestsOf, up, useEngine } from "./support";

const engine = useEngine();

const SERVICE = { provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3 };

test("the plugin creates a service, changes nothing twice, and updates what differs", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  expect(await requestsOf(engine)).toEqual(["POST /services"]);
  expect(inputs).toMatchObject({ ...SERVICE, name: "db", organizationId: engine.api.organizationId });
  expect(await engine.diff("Service", "db", id, state, inputs)).toMatchObject({ changes: "none" });
  const more = { ...inputs, numReplicas: 4 };
  expect(await engine.diff("Service", "db", id, state, more)).toEqual({
    changes: "unknown",
    replaces: [],
    deleteBeforeReplace: true,
    details: {},
  });
  const updated = await engine.update("Service", "db", id, state, more);
  expect(updated.numReplicas).toBe(4);
  const refreshed = await engine.read("Service", "db", id, updated);
  expect(refreshed).toMatchObject({ id, inputs: more });
  expect(await requestsOf(engine)).toEqual(["PATCH /services/{id}/replicaScaling", "GET /services/{id}"]);
  expect(await engine.diff("Service", "db", id, refreshed.state, more)).toMatchObject({ changes: "none" });
});

test("an unknown resource type is named", async () => {
  const failure = await failureOf(engine.check("Table", "t", {}));
  expect(failure.message).toBe("Unknown resource type clouddb:index:Table. [CDB9002]");
});

test("the state of a dynamic resource is taken over without a change", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  const entry = { __provider: 'exports.handler=()=>require("pulumi-clouddb/runtime").service' };
  const checked = await engine.check("Service", "db", SERVICE, { ...plain(inputs), ...entry });
  const stored = { ...plain(state), ...entry };
  expect(checked.inputs).not.toHaveProperty("__provider");
  expect(await engine.diff("Service", "db", id, stored, checked.inputs)).toMatchObject({ changes: "none" });
  expect(await engine.read("Service", "db", id, stored)).toMatchObject({ state: entry });
});
