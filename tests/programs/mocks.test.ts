import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { examplesOn } from "../../tools/docs/examples";
import { expectOk, newStack, simulated, testHome } from "../engine/support/stack";

const [jestFolder, vitestFolder] = [
  require.resolve("jest/package.json"),
  require.resolve("vitest/package.json"),
].map(dirname);

/** A program to test: services, and functions that read them. */
const PROGRAM = `
const db = new clouddb.Service("db", { region: "us-east-1", numReplicas: 3 });
const beside = new clouddb.Service("beside", { numReplicas: 3 });
const adopted = ["one", "two"].map((name) => new clouddb.ServiceScaling(name, { serviceId: db.id, numReplicas: 3 }));
export const region = db.region;
export const found = clouddb.getServiceOutput({ serviceId: db.id });
export const plain = () => clouddb.getPipe({ serviceId: "of a test", pipeId: "pipe", organizationId: undefined });
export const boards = () => clouddb.getDashboards();
`;

/** A user's unit test, with the mocks of Pulumi's documentation: every resource has the same id. */
const TEST = `
const calls = [];
const mocks = {
  newResource: ({ inputs }) => ({ id: "mocked-id", state: inputs }),
  call: ({ token, inputs }) => {
    calls.push([token, inputs]);
    return token === "clouddb:index:getService" ? { id: inputs.serviceId, encryptionKey: "key" } : { name: "mocked" };
  },
};
const valueOf = (output) => new Promise((resolve) => output.apply(resolve));
beforeAll(() => pulumi.runtime.setMocks(mocks));

test("functions call the mocks", async () => {
  const program = await load();
  expect(await valueOf(program.region)).toBe("us-east-1");
  expect(await valueOf(program.found.id)).toBe("mocked-id");
  expect(await pulumi.isSecret(program.found)).toBe(true);
  expect(await program.plain()).toEqual({ name: "mocked" });
  expect(await program.boards()).toEqual({ name: "mocked" });
  expect(calls).toEqual([
    ["clouddb:index:getService", { serviceId: "mocked-id" }],
    ["clouddb:index:getPipe", { serviceId: "of a test", pipeId: "pipe" }],
    ["clouddb:index:getDashboards", {}],
  ]);
});

test("functions call a mock that is set later", async () => {
  await pulumi.runtime.setMocks({ ...mocks, call: () => ({ name: "another" }) });
  expect(await (await load()).plain()).toEqual({ name: "another" });
});
`;

/** The test runners, each with a program that imports an entry. */
const runners = {
  jest: {
    files: {
      "program.js": `const clouddb = require("ENTRY");${PROGRAM.replace(/export const (\w+)/g, "exports.$1")}`,
      "jest.config.js": "",
      "program.test.js": `const pulumi = require("@pulumi/pulumi");\nconst load = () => require("./program");${TEST}`,
    },
    command: (folder: string) => [join(String(jestFolder), "bin/jest.js"), "--projects", folder],
  },
  vitest: {
    files: {
      "program.ts": `import * as clouddb from "ENTRY";${PROGRAM}`,
      "program.test.ts": `import * as pulumi from "@pulumi/pulumi";
        import { beforeAll, expect, test } from "vitest";
        const load = () => import("./program");${TEST}`,
    },
    command: (folder: string) => [
      join(String(vitestFolder), "vitest.mjs"),
      "run",
      "--root",
      folder,
    ],
  },
};

const cases = Object.entries(runners).flatMap(([name, runner]) =>
  ["pulumi-clouddb", "pulumi-clouddb/native"].map((entry) => ({ name, entry, runner })),
);

test.each(cases)(
  "a user's unit test in $name of $entry calls its mocks and no API",
  async ({ entry, runner }) => {
    const api = await simulated();
    const folder = mkdtempSync(join(testHome(), "mocks-"));
    const stack = await newStack(api, "", folder);
    for (const [name, text] of Object.entries(runner.files)) {
      writeFileSync(join(folder, name), text.replaceAll("ENTRY", entry));
    }
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(String(vitestFolder), join(folder, "node_modules/vitest"));
    // The tests run from another folder, as in a repository of many packages.
    const command = [process.execPath, ...runner.command(folder)].join(" ");
    const output = await expectOk(stack.command("sh", "-c", `cd / && exec ${command}`));
    expect(output).toMatch(/2 passed/);
    expect(output).not.toMatch(/both manage|warning/i);
    expect(await api.requests()).toEqual([]);
  },
);

test("the unit test of docs/guides/testing.md passes", async () => {
  const folder = mkdtempSync(join(testHome(), "mocks-"));
  const [mocks] = examplesOn("docs/guides/testing.md");
  writeFileSync(join(folder, "program.test.ts"), mocks?.codes.ts ?? "");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(String(vitestFolder), join(folder, "node_modules/vitest"));
  const stack = await newStack(await simulated(), "", folder);
  const run = [join(String(vitestFolder), "vitest.mjs"), "run", "--globals", "--root", folder];
  expect(await expectOk(stack.command(process.execPath, ...run))).toMatch(/1 passed/);
});
