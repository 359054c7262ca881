import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type ObjectOperation, objectOperation } from "../../provider/api/endpoints";
import type { Resource } from "../../provider/core/object/resource";
import { fieldPathsOf, type Properties, valueAt, withValue } from "../../provider/fields";
import * as clouddb from "../../provider/index";
import { dynamicType, LISTED_ARGUMENTS, nativeType, runtimeExport } from "../../provider/names";
import * as native from "../../provider/native";
import { resources } from "../../provider/resources";
import { functions } from "../../provider/resources/functions";
import * as runtime from "../../provider/runtime";
import { examplesOn, LANGUAGES } from "../../tools/docs/examples";
import { slots } from "../faults/model/scenario";
import { requestOf, situations } from "../faults/situations";
import { simulated, type TestApi } from "../support/api";
import { EXAMPLE_IDS, exampleSeed } from "../support/example";
import { root } from "../support/root";
import { sampleOf } from "../support/sample-fields";

/**
 * Each resource and each field is a row of a table. These tests find everything else that a new row
 * needs, and each message names the file.
 */

const table = Object.entries(resources);
const lacking = (sentences: readonly (string | false)[]) =>
  sentences.filter((sentence) => sentence !== false);

test("names in stored states are permanent, and names for new resources follow from the table", () => {
  const published = ["service", "serviceScaling", "organization", "pipe"];
  const known = table.map(([name]) => runtimeExport(name));
  expect(Object.keys(runtime).sort()).toEqual([...new Set([...published, ...known])].sort());
  const typesOf = (entry: object) =>
    Object.entries(entry).flatMap(([name, item]) =>
      "__pulumiType" in item ? [[name, item.__pulumiType]] : [],
    );
  expect(typesOf(clouddb).sort()).toEqual(table.map(([name]) => [name, dynamicType(name)]).sort());
  expect(typesOf(native).sort()).toEqual(table.map(([name]) => [name, nativeType(name)]).sort());
  expect(dynamicType("ServiceScaling")).toBe("pulumi-nodejs:dynamic/clouddb:ServiceScaling");
  expect(nativeType("ServiceScaling")).toBe("clouddb:index:ServiceScaling");
});

test("the native entry exports the same names and types as the main entry", () => {
  // The published package declares that its types are the main entry's.
  const same: typeof clouddb = native;
  expect(Object.keys(same).sort()).toEqual(Object.keys(clouddb).sort());
});

test("each argument with a list of allowed values can also accept newer values", () => {
  const listed = table.flatMap(([, { definition }]) =>
    fieldPathsOf(definition.fields).flatMap(({ name, field }) =>
      field.schema instanceof z.ZodEnum || field.unlisted ? [name] : [],
    ),
  );
  expect(listed.sort()).toEqual([...LISTED_ARGUMENTS].sort());
});

test("every example exists in each language", () => {
  const names = [...table.map(([name]) => name), ...Object.keys(functions), "Provider"];
  const missing = names.flatMap((name) =>
    examplesOn(`docs/reference/${name}.md`).flatMap(({ codes }, index) =>
      Object.keys(LANGUAGES).map(
        (language) =>
          !(language in codes) &&
          `docs/reference/${name}.md: example ${index + 1} lacks ${language}`,
      ),
    ),
  );
  expect(lacking(missing)).toEqual([]);
});

test("each guide's example exists in every language that supports it", () => {
  // `pulumi import` writes no program for the npm package, and YAML has no mocks.
  const impossible = ["adopt.import: ts", "testing.mocks: yaml"];
  const guides = readdirSync(join(root, "docs/guides")).filter((name) => name.endsWith(".md"));
  const examples = guides.flatMap((name) => examplesOn(`docs/guides/${name}`));
  const lacked = examples.flatMap(({ name, codes }) =>
    ["ts", "yaml", "python", "go"]
      .filter((each) => !(each in codes))
      .map((each) => `${name}: ${each}`),
  );
  expect(lacked.sort()).toEqual(impossible);
});

test("the fault matrix covers every operation of every resource, and the model tests every resource", () => {
  const missing = table.flatMap(([name, { definition }]) => {
    const covered = Object.values(situations).filter((situation) => situation.type === name);
    const requests = covered.map(({ requests, faultAt }) => requests[faultAt]);
    return [
      ...carriersOf(definition).map(
        (id) =>
          !requests.includes(requestOf(id)) &&
          `tests/faults/situations.ts: no situation of ${name} in which ${id} (${requestOf(id)}) hits a fault`,
      ),
      definition.read !== undefined &&
        !covered.some(({ isRefresh }) => isRefresh) &&
        `tests/faults/situations.ts: no refresh of ${name} hits a fault`,
      !Object.values(slots).some(({ type }) => type === name) &&
        `tests/faults/model/scenario.ts: no slot has a ${name}`,
    ];
  });
  expect(lacking(missing)).toEqual([]);
});

/** The operations that carry a resource's arguments. */
function carriersOf({ create, updates }: Resource): ObjectOperation[] {
  return [...(create ? [create.operation] : []), ...updates];
}

describe("fields of the simulator", () => {
  let api: TestApi;
  /** A service that every argument of a service can be sent to. */
  let created: Properties;
  beforeAll(async () => {
    const organizations = exampleSeed.organizations ?? [];
    const enterprise = organizations.map((organization) => ({
      ...organization,
      tier: "ENTERPRISE" as const,
    }));
    api = await simulated({ seed: { organizations: enterprise } });
    const body = { name: "sample", numReplicas: 3, hasTransparentDataEncryption: true };
    created = (await api.change("POST", "", body)).service as Properties;
  });

  const cases = table.flatMap(([resource, { definition }]) =>
    fieldPathsOf(definition.fields)
      .filter(
        ({ field }) =>
          field.onChange === "update" && field.inResponse && !field.list && !field.secret,
      )
      .flatMap(({ name, apiPath, field }) =>
        definition.updates
          .filter((id) => field.sentWith.includes(id))
          .map((id) => ({
            name: `${resource}.${name}`,
            apiPath,
            field,
            operation: objectOperation(id),
          })),
      ),
  );

  test.each(cases)(
    "the simulator stores and returns $name, set by $operation.method $operation.path",
    async ({ apiPath, field, operation }) => {
      const [group, kind = ""] = apiPath;
      const pipes = exampleSeed.organizations?.[0]?.services?.[0]?.pipes ?? [];
      const pipe = pipes.find(({ source }) => group !== "source" || (source && kind in source));
      // Only the seed's services contain objects.
      const ids: Properties = /\{serviceId\}.*\{/.test(operation.path)
        ? { ...EXAMPLE_IDS, pipeId: pipe?.id }
        : { ...EXAMPLE_IDS, serviceId: created.id };
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
      const sample = sampleOf(field.schema);
      const result = await api.change("PATCH", path, withValue({}, apiPath, sample), api.baseUrl);
      expect(valueAt(result, apiPath)).toEqual(sample);
    },
  );
});
