import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { findBackend } from "./backend";

/** The backend by Pulumi's own rules. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clouddb-backend-"));
  mkdirSync(join(folder, "project/program"), { recursive: true });
  mkdirSync(join(folder, "home"));
  writeFileSync(join(folder, "home/credentials.json"), JSON.stringify({ current: "s3://login" }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const find = (environment: Record<string, string> = {}, from = "project") =>
  findBackend({ PULUMI_HOME: join(folder, "home"), ...environment }, join(folder, from));
const project = (text: string) => writeFileSync(join(folder, "project/Pulumi.yaml"), text);

test("is the login, unless the project or the environment says otherwise", () => {
  expect(find()).toBe("s3://login");
  project("name: test\nruntime: nodejs\n");
  expect(find()).toBe("s3://login");
  project("name: test\nbackend:\n  url: s3://project\n");
  expect(find()).toBe("s3://project");
  expect(find({}, "project/program")).toBe("s3://project");
  expect(find({ PULUMI_BACKEND_URL: "s3://environment" })).toBe("s3://environment");
});

test.each([
  'backend: { url: "s3://project" }',
  "name: test\nbackend:\n    url: 's3://project'",
  "backend: {url: s3://project}",
])("is found in the project file %j", (text) => {
  project(text);
  expect(find()).toBe("s3://project");
});

test("is another one for a copy of a project whose states are in its folder", () => {
  const here = { PULUMI_BACKEND_URL: "file://./state" };
  expect(find(here)).toBe(`file://${join(folder, "project/state")}`);
  expect(find(here, "home")).not.toBe(find(here));
  const states = { PULUMI_BACKEND_URL: "file://~/states", HOME: "/users/one" };
  expect(find(states)).toBe(`file://${userInfo().homedir}/states`);
  expect(find({ PULUMI_BACKEND_URL: "file:///states" })).toBe("file:///states");
});

test("is without the password of a server, which may change", () => {
  for (const password of ["one", "two"]) {
    expect(find({ PULUMI_BACKEND_URL: `postgres://user:${password}@db.example/pulumi?sslmode=require` })).toBe(
      "postgres://db.example/pulumi?sslmode=require",
    );
  }
});

test("is an error without any setting, and with a broken login file", () => {
  for (const text of ["{", "{}", ""]) {
    writeFileSync(join(folder, "home/credentials.json"), text);
    expect(() => find()).toThrow("The creation journal cannot determine the backend of this stack");
  }
});

test("follows a relative path of the credentials from the project's folder", () => {
  project("name: test\n");
  expect(find({ PULUMI_CREDENTIALS_PATH: "../home" }, "project/program")).toBe("s3://login");
});

test("is that of the file that the CLI reads first", () => {
  project("backend: { url: s3://yaml }\n");
  writeFileSync(join(folder, "project/Pulumi.yml"), "backend: { url: s3://yml }\n");
  expect(find()).toBe("s3://yaml");
  writeFileSync(join(folder, "project/Pulumi.json"), '{ "backend": { "url": "s3://json" } }');
  expect(find()).toBe("s3://json");
});
