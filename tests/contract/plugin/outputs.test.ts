import schema from "../../../provider/schema.json";
import type { Properties } from "../../support/adapters/handlers";
import { EXAMPLE } from "../../support/example";
import { up, useEngine } from "./support";

/**
 * SDKs promise each required output to programs: one that is missing fails them after the creation.
 */

const engine = useEngine();
const { service, pipes } = EXAMPLE;

const requiredOf = (type: string): string[] =>
  schema.resources[`clouddb:index:${type}` as keyof typeof schema.resources].required;
function expectAll(type: string, state: Properties): void {
  expect(requiredOf(type).filter((name) => state[name] === undefined)).toEqual([]);
}

test.each<[string, string, Properties]>([
  ["a new Service", "Service", {}],
  ["a development Service", "Service", { tier: "development" }],
  ["an adopted Service", "Service", { existingServiceId: service }],
  ["a ServiceScaling", "ServiceScaling", { serviceId: service, numReplicas: 4 }],
  ["an Organization with a name", "Organization", { name: "one" }],
  ["an Organization with private endpoints", "Organization", { privateEndpoints: [] }],
  ["a Pipe from Kafka", "Pipe", { serviceId: service, pipeId: pipes.kafka }],
  ["a Pipe from object storage", "Pipe", { serviceId: service, pipeId: pipes.objectStorage }],
  ["a Pipe from Kinesis", "Pipe", { serviceId: service, pipeId: pipes.kinesis }],
  ["a Pipe from Postgres", "Pipe", { serviceId: service, pipeId: pipes.postgres }],
])("%s has each required output", async (_, type, args) => {
  expectAll(type, (await up(engine, type, "one", args)).state);
});

test.each([
  ["Service", () => service],
  ["ServiceScaling", () => service],
  ["Pipe", () => `${service}/${pipes.kafka}`],
  ["Organization", () => engine.api.organizationId],
])("an imported %s has each required output", async (type, id) => {
  expectAll(type, (await engine.read(type, "one", id())).state);
});

test.each<[string, Properties]>([
  ["Service", {}],
  ["ServiceScaling", { serviceId: service }],
  ["Pipe", { serviceId: service, pipeId: pipes.kafka }],
])(
  "a %s without optional arguments has only required outputs, and a new service its password",
  async (type, args) => {
    const { state } = await up(engine, type, "one", args);
    const isPresent = (name: string) =>
      !name.startsWith("__") && name !== "password" && state[name] !== null;
    const present = Object.keys(state).filter(isPresent);
    expect(present.sort()).toEqual(requiredOf(type));
  },
);
