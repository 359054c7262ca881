import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { resourceTable } from "../../facts/resource-table";
import { policies } from "../../policies/rules";
import { endpoints, type ObjectOperation, type Operation, objectOperation } from "../../provider/api/endpoints";
import type { Resource } from "../../provider/core/resource";
import { type FieldPath, fieldPathsOf } from "../../provider/fields";
import * as clouddb from "../../provider/index";
import { dynamicType, nativeType, runtimeExport } from "../../provider/names";
import * as native from "../../provider/native";
import { resources } from "../../provider/resources";
import { functions } from "../../provider/resources/functions";
import * as runtime from "../../provider/runtime";
import { type Seed, startSimulator } from "../../simulator/index";
import { createDocument } from "../../simulator/schema/api";
import seed from "../../simulator/seeds/example.json";
import { examplesOn, LANGUAGES } from "../../tools/docs/examples";
import { coveredTypes } from "../faults/model/slots";
import { situations } from "../faults/situations";
import { root } from "../support/root";

/**
 * Each resource and each field is a row of a table. These tests find everything else that a new row needs, and each
 * message names the file.
 */

const table = Object.entries(resources);
const textOf = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
const lacking = (sentences: readonly (string | false)[]) => sentences.filter((sentence) => sentence !== false);

test("names in stored states are permanent, and those of new resources follow from the table", () => {
  const published = ["service", "serviceScaling", "organization", "pipe"];
  expect(lacking(published.map((name) => !(name in runtime) && `provider/runtime.ts lost ${name}`))).toEqual([]);
  const missing = table.flatMap(([name]) => [
    !(runtimeExport(name) in runtime) && `provider/runtime.ts does not export ${runtimeExport(name)}`,
    !(name in clouddb) && `provider/index.ts does not export the class ${name}`,
    ...[`${name}Args`, `${name}Outputs`].map(
      (text) =>
        !new RegExp(`\\b${text}\\b`).test(textOf("provider/index.ts")) &&
        `provider/index.ts does not export the type ${text}`,
    ),
  ]);
  expect(lacking(missing)).toEqual([]);
  const known = table.map(([name]) => runtimeExport(name));
  expect(Object.keys(runtime).filter((name) => !known.includes(name) && !published.includes(name))).toEqual([]);
  const typesOf = (entry: object) =>
    Object.entries(entry).flatMap(([name, item]) => ("__pulumiType" in item ? [[name, item.__pulumiType]] : []));
  expect(typesOf(clouddb).sort()).toEqual(table.map(([name]) => [name, dynamicType(name)]).sort());
  expect(typesOf(native).sort()).toEqual(table.map(([name]) => [name, nativeType(name)]).sort());
  expect(dynamicType("ServiceScaling")).toBe("pulumi-nodejs:dynamic/clouddb:ServiceScaling");
  expect(nativeType("ServiceScaling")).toBe("clouddb:index:ServiceScaling");
});

test("the native entry has what the main entry has, with its types", () => {
  // The published package declares that its types are the main entry's.
  const same: typeof clouddb = native;
  expect(Object.keys(same).sort()).toEqual(Object.keys(clouddb).sort());
});

test("the folders in provider/resources match the table", () => {
  const folders = readdirSync(join(root, "provider/resources"), { withFileTypes: true });
  expect(folders.flatMap((folder) => (folder.isDirectory() ? [folder.name] : [])).sort()).toEqual(
    table.map(([, { folder }]) => folder).sort(),
  );
});

test("every resource has a page, an example on it, and an example program", () => {
  const programs = readdirSync(join(root, "examples")).map((name) => textOf(`examples/${name}/index.ts`));
  const missing = table.flatMap(([name]) => {
    const made = `new clouddb.${name}(`;
    return [
      !examplesOn(`docs/reference/${name}.md`)[0]?.codes.ts?.includes(made) &&
        `docs/reference/${name}.md has no ${made}…)`,
      !programs.some((program) => program.includes(made)) && `no program in examples/ has ${made}…)`,
      !(name in resourceTable) && `facts/resource-table.ts lacks ${name}: run \`npm run build\``,
    ];
  });
  expect(lacking(missing)).toEqual([]);
});

test("every example exists in each language", () => {
  const names = [...table.map(([name]) => name), ...Object.keys(functions), "Provider"];
  const missing = names.flatMap((name) =>
    examplesOn(`docs/reference/${name}.md`).flatMap(({ codes }, index) =>
      Object.keys(LANGUAGES).map(
        (language) => !(language in codes) && `docs/reference/${name}.md: example ${index + 1} lacks ${language}`,
      ),
    ),
  );
  expect(lacking(missing)).toEqual([]);
});

test("every example of a guide exists in each language that can have it", () => {
  // `pulumi import` writes no program for the npm package, and YAML has no mocks.
  const impossible = ["adopt.import: ts", "testing.mocks: yaml"];
  const guides = readdirSync(join(root, "docs/guides")).filter((name) => name.endsWith(".md"));
  const examples = guides.flatMap((name) => examplesOn(`docs/guides/${name}`));
  const lacked = examples.flatMap(({ name, codes }) =>
    ["ts", "yaml", "python", "go"].filter((each) => !(each in codes)).map((each) => `${name}: ${each}`),
  );
  expect(examples.length).toBeGreaterThan(10);
  expect(lacked.sort()).toEqual(impossible);
});

test("the fault matrix covers every operation of every resource, and the model tests every resource", () => {
  const missing = table.flatMap(([name, { definition }]) => {
    const covered = Object.values(situations).filter((situation) => situation.type === name);
    const requests = covered.map(({ requests, faultAt }) => requests[faultAt]);
    return [
      ...carriersOf(definition).map(
        (id) =>
          !requests.includes(shortened(endpoints[id])) &&
          `tests/faults/situations.ts: no situation of ${name} in which ${id} (${shortened(endpoints[id])}) hits a fault`,
      ),
      definition.read !== undefined &&
        !covered.some(({ isRefresh }) => isRefresh) &&
        `tests/faults/situations.ts: no refresh of ${name} hits a fault`,
      !coveredTypes.has(definition) && `tests/faults/model/slots.ts: no slot has a ${name}`,
    ];
  });
  expect(lacking(missing)).toEqual([]);
});

/** The operations that carry a resource's arguments. */
function carriersOf({ create, updates }: Resource): ObjectOperation[] {
  return [...(create ? [create.operation] : []), ...updates];
}

/** A request as the fault matrix writes it. */
function shortened({ method, path }: Operation): string {
  return `${method} ${path.replace("/v1/organizations/{organizationId}", "").replace(/\{\w+\}/g, "{id}")}`;
}

test("policies see every resource", () => {
  const [policy] = policies;
  const isSeen = (type: string) => {
    const urn = `urn:pulumi:dev::test::${type}::one`;
    const value = { type, name: "one", urn, props: {}, opts: { protect: false } };
    try {
      policy.validateResource({ ...value, getConfig: () => ({}) } as never, () => {});
      return false;
    } catch (error) {
      // Policies report only our own resources as unchecked if they have no arguments.
      return /no policy has checked it/.test(String(error));
    }
  };
  expect([dynamicType("Elsewhere"), nativeType("Elsewhere")].filter(isSeen)).toEqual([]);
  const types = table.flatMap(([name]) => [dynamicType(name), nativeType(name)]);
  const missing = types.map((type) => !isSeen(type) && `policies/ do not know ${type}: run \`npm run build\``);
  expect(lacking(missing)).toEqual([]);
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** True if a schema, or a part of it, has a path. */
function has(schema: Schema | undefined, [name, ...rest]: readonly string[]): boolean {
  if (schema === undefined) return false;
  if (name === undefined) return true;
  const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema;
  return has(properties[name], rest) || [...anyOf, ...oneOf, ...allOf].some((part) => has(part, [name, ...rest]));
}

function at(value: unknown, path: readonly string[]): unknown {
  let inner = value;
  for (const name of path) inner = (inner as Record<string, unknown> | undefined)?.[name];
  return inner;
}

const JSON_BODY = ["content", "application/json", "schema"];
const document = createDocument();

/** An operation in the simulator's document. */
function documented({ method, path }: Operation): { body: Schema; result: Schema } {
  const operation = at(document, ["paths", path, method.toLowerCase()]);
  const answer = at(operation, ["responses", "200", ...JSON_BODY, "properties", "result"]);
  return { body: at(operation, ["requestBody", ...JSON_BODY]) as Schema, result: answer as Schema };
}

/** The path of an argument in a request's body. */
function bodyPaths({ apiPath, field: { list } }: FieldPath, { method }: Operation): string[][] {
  if (list?.send !== "addRemove" || method === "POST") return [[...apiPath]];
  const { add, remove } = list.bodyNames ?? { add: `${apiPath.at(-1)}.add`, remove: `${apiPath.at(-1)}.remove` };
  return [add, remove].map((place) => [...apiPath.slice(0, -1), ...place.split(".")]);
}

test("client and simulator have every field and output in requests and responses", () => {
  const missing = table.flatMap(([resource, { definition }]) => {
    const fields = fieldPathsOf(definition.fields);
    const results = carriersOf(definition).map((name) => {
      const operation = objectOperation(name);
      // The response to a creation contains the object and a password.
      const { result } = operation;
      const schema = z.toJSONSchema(result as z.ZodType, { unrepresentable: "any" }) as Schema;
      const wrapped = (path: readonly string[]) => [path, ["service", ...path]];
      return {
        name,
        operation,
        client: (path: readonly string[]) => wrapped(path).some((item) => has(schema, item)),
        simulator: (path: readonly string[]) => wrapped(path).some((item) => has(documented(operation).result, item)),
      };
    });
    const ofFields = fields.flatMap((fieldPath) =>
      results
        .filter(({ name }) => fieldPath.field.sentWith.includes(name))
        .flatMap(({ name, operation, client, simulator }) => [
          ...bodyPaths(fieldPath, operation).map(
            (path) =>
              !has(documented(operation).body, path) &&
              `simulator: the body of ${name} has no ${path.join(".")}, an argument of ${resource}`,
          ),
          fieldPath.field.inResponse !== undefined &&
            !client(fieldPath.apiPath) &&
            `provider/api/schemas.ts: the result of ${name} has no ${fieldPath.apiPath.join(".")}, an argument of ${resource}`,
          fieldPath.field.inResponse !== undefined &&
            !simulator(fieldPath.apiPath) &&
            `simulator: the response of ${name} has no ${fieldPath.apiPath.join(".")}, an argument of ${resource}`,
        ]),
    );
    // The outputs of a part of an object say what the provider makes of its lists.
    const apiOutputs = definition.lifecycle === undefined ? Object.entries(definition.outputs) : [];
    const ofOutputs = apiOutputs.flatMap(([name, { apiName = name }]) => [
      !results.some(({ client }) => client([apiName])) &&
        `provider/api/schemas.ts: no result of ${carriersOf(definition)} has ${apiName}, an output of ${resource}`,
      !results.some(({ simulator }) => simulator([apiName])) &&
        `simulator: no response of ${carriersOf(definition)} has ${apiName}, an output of ${resource}`,
    ]);
    return [...ofFields, ...ofOutputs];
  });
  expect(lacking(missing)).toEqual([]);
});

test("the simulator has every operation", async () => {
  const simulator = await startSimulator({ seed: seed as unknown as Seed });
  try {
    const [service] = seed.organizations[0]?.services ?? [];
    const ids: Readonly<Record<string, string | undefined>> = {
      organizationId: simulator.organizationId,
      serviceId: service?.id,
      pipeId: service?.pipes?.[0]?.id,
      id: seed.alerts[0]?.id,
    };
    const basic = Buffer.from(`${simulator.keyId}:${simulator.keySecret}`).toString("base64");
    const missing: (string | false)[] = [];
    for (const { api, method, path } of Object.values(endpoints)) {
      const url = path.replace(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? parameter);
      const base = api === "management" ? simulator.baseUrl : simulator.observabilityUrl;
      const { status } = await fetch(base + url, {
        method,
        headers: {
          authorization: api === "management" ? `Basic ${basic}` : `Bearer ${simulator.accessToken}`,
          "content-type": "application/json",
        },
        ...(method !== "GET" && { body: "{}" }),
      });
      const isDone = status < 500 && status !== 404 && status !== 405;
      missing.push(!isDone && `simulator: ${method} ${path} is not done, it answers ${status}`);
    }
    expect(lacking(missing)).toEqual([]);
  } finally {
    await simulator.close();
  }
});
