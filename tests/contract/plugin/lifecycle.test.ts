import { plain } from "../../support/adapters/values";
import { failureOf } from "../support";
import { up, useEngine } from "./support";

const engine = useEngine();

const SERVICE = { provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3 };

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
