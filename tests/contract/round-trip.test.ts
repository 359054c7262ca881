import { z } from "zod";
import { endpoints, type Operation, objectOperation } from "../../provider/api/endpoints";
import { type FieldPath, fieldPathsOf, type Properties, valueAt, withValue } from "../../provider/fields";
import { resources } from "../../provider/resources";
import { type RunningSimulator, type Seed, startSimulator } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";
import { EXAMPLE_IDS } from "../support/example";

/** The simulator stores and returns every field that updates carry and responses show according to the tables. */

let simulator: RunningSimulator;
/** A service that every argument of a service can be sent to. */
let created: string;
beforeAll(async () => {
  const organizations = seed.organizations.map((organization) => ({ ...organization, tier: "ENTERPRISE" }));
  simulator = await startSimulator({ seed: { organizations } as unknown as Seed });
  const answer = await send(
    endpoints.createService,
    {},
    {
      name: "sample",
      numReplicas: 3,
      hasTransparentDataEncryption: true,
    },
  );
  created = (answer.result as { service: { id: string } }).service.id;
});
afterAll(() => simulator.close());

const [service] = seed.organizations[0]?.services ?? [];

async function send({ method, path }: Operation, more: Properties, body: Properties): Promise<Properties> {
  const ids: Properties = { ...EXAMPLE_IDS, ...more };
  const { keyId, keySecret, baseUrl } = simulator;
  const response = await fetch(baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name])), {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Properties;
}

/** A value that a field allows. */
function sampleOf({ schema }: FieldPath["field"]): unknown {
  const { enum: allowed, type, minimum = 0, multipleOf = 1 } = z.toJSONSchema(schema, { unrepresentable: "any" });
  if (allowed) return allowed[0];
  if (type === "boolean") return true;
  return type === "string" ? "a sample" : minimum + multipleOf;
}

const cases = Object.entries(resources).flatMap(([resource, { definition }]) =>
  fieldPathsOf(definition.fields)
    .filter(({ field }) => field.onChange === "update" && field.inResponse && !field.list && !field.secret)
    .flatMap((leaf) =>
      definition.updates
        .filter((id) => leaf.field.sentWith.includes(id))
        .map((id) => ({ name: `${resource}.${leaf.name}`, leaf, operation: objectOperation(id) })),
    ),
);

test.each(cases)("$name by $operation.method $operation.path", async ({ leaf, operation }) => {
  const [group, kind = ""] = leaf.apiPath;
  const pipes = service?.pipes ?? [];
  const pipe = pipes.find(({ source }) => group !== "source" || kind in source);
  const sample = sampleOf(leaf.field);
  const ids = operation.path.includes("{pipeId}") ? { pipeId: pipe?.id } : { serviceId: created };
  const answer = await send(operation, ids, withValue({}, leaf.apiPath, sample));
  expect([answer.error, answer.status]).toEqual([undefined, 200]);
  expect(valueAt(answer.result as Properties, leaf.apiPath)).toEqual(sample);
});
