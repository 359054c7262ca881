import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { endpoints } from "../../../provider/api/endpoints";
import { check, fieldPathsOf } from "../../../provider/fields";
import { resources } from "../../../provider/resources/index";
import { service } from "../../../provider/resources/service/service";
import { serviceScaling } from "../../../provider/resources/service-scaling/service-scaling";
import { CreateService } from "../../../simulator/schema/service";

/**
 * Compares the specification, which is in this folder unchanged, with the provider and with the
 * simulator, separately.
 */

const specification = readFileSync(join(__dirname, "api.md"), "utf8");
/** The rows of all tables: the heading above the table, the names of its columns, and the cells. */
const rows = specification.split(/^#+ /m).flatMap(rowsOf);

function rowsOf(part: string) {
  const [section = "", ...lines] = part.split("\n");
  const tables = lines.join("\n").match(/(?:^\|.*\n)+/gm) ?? [];
  return tables.flatMap((table) => {
    const [header = [], _separator, ...all] = table.trim().split("\n").map(cellsOf);
    return all.map((cells) => ({ section, header, cells }));
  });
}
function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const isFieldTable = (header: readonly string[]) => header[0] === "Field" && header[1] === "Type";
/** Words in the tables that are not field names. */
const PROSE = new Set(
  "string strings number boolean array of object with directly under source access entry".split(
    " ",
  ),
);
/** The field names in a cell that lists several. */
function namesIn(cell: string): string[] {
  const words = cell.replace(/\([^)]*\)/g, "").match(/\b[a-z][A-Za-z]+\b/g) ?? [];
  return words.filter((word) => !PROSE.has(word));
}

const ORGANIZATION = { organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01" };

const isAllowed = (args: object) =>
  check(service, undefined, { ...ORGANIZATION, ...args }, {}).problems.length === 0;

describe("each field of each table", () => {
  const known = new Set<string>([
    "status",
    "requestId",
    "result",
    "data",
    "enabled",
    "add",
    "remove",
  ]);
  for (const { definition } of Object.values(resources)) {
    for (const { path, apiPath, field } of fieldPathsOf(definition.fields)) {
      for (const name of [...path, ...apiPath]) known.add(name);
      for (const name of Object.values(field.list?.bodyNames ?? {})) known.add(name);
      addNames(z.toJSONSchema(field.schema, { unrepresentable: "any" }));
    }
    for (const [name, { apiName }] of Object.entries(definition.outputs))
      known.add(apiName ?? name);
  }
  for (const { result } of Object.values(endpoints))
    addNames(z.toJSONSchema(result, { unrepresentable: "any" }));

  function addNames(schema: unknown): void {
    if (typeof schema !== "object" || schema === null) return;
    for (const [key, inner] of Object.entries(schema)) {
      if (key === "properties") for (const name of Object.keys(inner as object)) known.add(name);
      addNames(inner);
    }
  }

  const fields = rows.filter(
    ({ header }) => isFieldTable(header) || (header[0] === "Field" && header.length === 1),
  );
  const subObjects = rows.filter(({ header }) => header[0] === "Sub-object");

  test("the specification contains the fields of each table", () => {
    expect(fields.length).toBeGreaterThan(120);
    expect(subObjects.length).toBe(5);
  });

  test.each(fields.map(({ section, cells: [name = "", type = ""] }) => [section, name, type]))(
    "the specified field %s: %s is an argument, an output or part of a function's result",
    (_, name, type) => {
      expect(known).toContain(name);
      for (const text of namesIn(type.match(/\{.*\}|object with .*/)?.[0] ?? ""))
        expect(known).toContain(text);
    },
  );

  test.each(subObjects.map(({ cells: [name = "", list = ""] }) => [name, list]))(
    "the specified fields of source.%s are arguments",
    (name, list) => {
      expect(known).toContain(name.replace(/ .*/, ""));
      for (const text of namesIn(list)) expect(known).toContain(text);
    },
  );
});

describe("each numeric limit", () => {
  const limits = rows
    .filter(({ section, header }) => section === "Limits" && header[1] === "Rule")
    .flatMap(({ cells: [name = "", rule = ""] }) => {
      const range = /^(\d+) to (\d+)(?:, multiple of (\d+))?/.exec(rule);
      const least = /^at least (\d+)/.exec(rule);
      if (least)
        return [{ name, good: [Number(least[1]), 1000], bad: [Number(least[1]) - 1, 0, -1] }];
      if (!range) return [];
      const [min, max, step] = [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)];
      const off = step > 1 ? [min + step / 2, max - 1] : [];
      return [{ name, good: [min, min + step, max], bad: [min - step, max + step, ...off, -max] }];
    });

  test("the specification contains six numeric limits", () => {
    expect(limits.map(({ name }) => name)).toEqual([
      ...["minTotalMemoryGb", "maxTotalMemoryGb", "minReplicaMemoryGb", "maxReplicaMemoryGb"],
      ...["numReplicas", "idleTimeoutMinutes"],
    ]);
  });

  describe.each(limits)("$name", ({ name, good, bad }) => {
    function expectBounds(accepts: (value: number) => boolean): void {
      for (const value of good) expect([value, accepts(value)]).toEqual([value, true]);
      for (const value of bad) expect([value, accepts(value)]).toEqual([value, false]);
    }
    test("the check accepts a limited number only within its bounds", () => {
      expectBounds((value) => isAllowed({ [name]: value }));
    });
    test("the simulator accepts a limited number only within its bounds", () => {
      expectBounds((value) => CreateService.safeParse({ [name]: value }).success);
    });
    test("a ServiceScaling accepts a limited number only within its bounds", () => {
      if (serviceScaling.fields[name] === undefined) return;
      const args = { ...ORGANIZATION, serviceId: ORGANIZATION.organizationId };
      expectBounds(
        (value) =>
          check(serviceScaling, undefined, { ...args, [name]: value }, {}).problems.length === 0,
      );
    });
  });
});

test("the client has every operation of the specification, with its method and path", () => {
  const specified = rows
    .filter(({ header }) => header[0] === "#")
    .map(({ cells: [, method, path = ""] }) => `${method} ${path.replaceAll("`", "")}`);
  expect(specified.length).toBeGreaterThan(0);
  const ours = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
  expect([...ours].sort()).toEqual([...specified].sort());
});
