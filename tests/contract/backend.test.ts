import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { up } from "../support/stack-model";
import { temporaryFolder } from "../support/temporary-folder";
import { useServices } from "./service-setup";
import { failureOf, type Properties } from "./support";

/** The backend of a stack, which tells the records of one stack from those of another. */

const setup = useServices();
let folder: string;

beforeEach(() => {
  folder = temporaryFolder("backend");
  mkdirSync(join(folder, "login"));
  login("https://api.pulumi.com");
});
afterEach(() => jest.restoreAllMocks());

function login(current: string): void {
  writeFileSync(join(folder, "login/credentials.json"), JSON.stringify({ current }));
}

/** Another command in a project with this file. */
function restartIn(project: string, text: string, environment: Record<string, string> = {}, file = "Pulumi.yaml") {
  mkdirSync(join(folder, project), { recursive: true });
  writeFileSync(join(folder, project, file), text);
  jest.spyOn(process, "cwd").mockReturnValue(join(folder, project));
  setup.restartWith({
    CLOUDDB_JOURNAL: join(folder, "records"),
    PULUMI_BACKEND_URL: "",
    PULUMI_CREDENTIALS_PATH: join(folder, "login"),
    ...environment,
  });
}

const create = async (args: Properties = {}) => {
  const { stored, error } = await up(setup.handlers, undefined, { name: "orders", ...args });
  if (error !== undefined) throw error;
  return String(stored?.id);
};

test.each([
  ["a comment behind the key", "backend: # states\n  url: URL\n"],
  ["a comment line", "backend:\n  # states\n  url: URL\n"],
  ["quoted keys", '"backend":\n  "url": "URL"\n'],
  ["flow style", '{ name: shop, backend: { other: 1, "url": URL } }\n'],
  ["a merged key", "x: &x { url: URL }\nbackend:\n  <<: *x\n"],
  ["a byte order mark", "\uFEFFbackend:\n  url: URL\n"],
  ["a JSON file", '{ "backend": { "url": "URL" } }', "Pulumi.json"],
])("two stacks of the same name in two backends have a service each: %s", async (_, text, file = "Pulumi.yaml") => {
  restartIn("staging", text.replace("URL", "s3://states-staging"), {}, file);
  const staging = await create();
  restartIn("production", text.replace("URL", "s3://states-production"), {}, file);
  expect(await create()).not.toBe(staging);
  restartIn("copy", text.replace("URL", "s3://states-staging"), {}, file);
  expect(await create()).toBe(staging);
});

describe("a backend that cannot be determined stops a creation, and names the file", () => {
  const refused = /^The creation journal cannot determine the backend of this stack: .*nothing was sent/;

  test.each([
    ["an invalid project file", "backend: [", "Pulumi.yaml is not valid"],
    ["a duplicate key", "backend: { url: s3://a }\nbackend: { url: s3://b }\n", "Pulumi.yaml is not valid"],
    ["a URL that is no text", "backend: { url: [s3://a] }\n", "Pulumi.yaml is not valid"],
    ["an empty project file", "", "Pulumi.yaml is not valid"],
  ])("%s", async (_, text, reason) => {
    restartIn("project", text);
    const { message } = await failureOf(create());
    expect(message).toMatch(refused);
    expect(message).toContain(reason);
    expect(await setup.api.requests()).toEqual([]);
  });

  test.each([
    ["no login", "{}", "has no login"],
    ["an empty login", "", "credentials.json is not valid"],
    ["an invalid login", "{", "credentials.json is not valid"],
  ])("%s", async (_, text, reason) => {
    writeFileSync(join(folder, "login/credentials.json"), text);
    restartIn("project", "name: shop\n");
    const { message } = await failureOf(create());
    expect(message).toMatch(refused);
    expect(message).toContain(reason);
    expect(await setup.api.requests()).toEqual([]);
  });

  test("but not where the journal is off, or the variable has the backend", async () => {
    restartIn("project", "backend: [", { CLOUDDB_JOURNAL: "off" });
    await create();
    restartIn("project", "backend: [", { PULUMI_BACKEND_URL: "s3://states" });
    await create();
    expect(await setup.api.services()).toHaveLength(2);
  });

  test("and stops no adoption", async () => {
    const id = await create();
    restartIn("project", "backend: [");
    expect(await create({ existingServiceId: id })).toBe(id);
  });
});

test.each<[string, string, Record<string, string>]>([
  ["https://api.pulumi.com/", "name: test\n", {}],
  ["s3://project", "name: test\nbackend:\n  url: s3://project\n", {}],
  ["s3://project", 'name: test\nbackend: { url: "s3://project" }\n', {}],
  ["s3://variable", "backend:\n  url: s3://project\n", { PULUMI_BACKEND_URL: "s3://variable" }],
  ...["one", "two"].map((password): [string, string, Record<string, string>] => [
    "postgres://db.example/pulumi?sslmode=require",
    "name: test\n",
    { PULUMI_BACKEND_URL: `postgres://user:${password}@db.example/pulumi?sslmode=require` },
  ]),
  ["s3://login", "name: test\n", { PULUMI_CREDENTIALS_PATH: "../other" }],
  ["file:///states", "name: test\n", { PULUMI_BACKEND_URL: "file:///states" }],
  ["file://PROJECT/state", "name: test\n", { PULUMI_BACKEND_URL: "file://./state" }],
  [`file://${os.userInfo().homedir}/states`, "name: test\n", { PULUMI_BACKEND_URL: "file://~/states" }],
])("a record has the name that earlier releases gave it: %s", async (backend, text, environment) => {
  mkdirSync(join(folder, "other"));
  writeFileSync(join(folder, "other/credentials.json"), JSON.stringify({ current: "s3://login" }));
  restartIn("project", text, environment);
  await create();
  const [file = ""] = readdirSync(join(folder, "records"));
  const record = JSON.parse(readFileSync(join(folder, "records", file), "utf8"));
  expect(record.backend).toBe(backend.replace("PROJECT", join(folder, "project")));
  const identity = JSON.stringify([record.backend, "", record.urn, record.baseUrl]);
  expect(file).toBe(`${createHash("sha256").update(identity).digest("hex").slice(0, 32)}.json`);
});

describe("Pulumi's home", () => {
  const records = (home: string) => readdirSync(join(home, "clouddb-creations"));
  const usual = { CLOUDDB_JOURNAL: "", PULUMI_BACKEND_URL: "s3://states" };

  test("may be a relative path, which counts from the project's folder", async () => {
    restartIn("project", "name: shop\n", { ...usual, PULUMI_HOME: ".pulumi-home" });
    jest.spyOn(process, "cwd").mockReturnValue(join(folder, "project/program"));
    const id = await create();
    expect(records(join(folder, "project/.pulumi-home"))).toHaveLength(1);
    restartIn("project", "name: shop\n", { ...usual, PULUMI_HOME: ".pulumi-home" });
    expect(await create()).toBe(id);
  });

  test("needs no user's home", async () => {
    jest.spyOn(os, "userInfo").mockImplementation(() => {
      throw new Error("ENOENT");
    });
    restartIn("project", "name: shop\n", { ...usual, PULUMI_BACKEND_URL: "file:///states", PULUMI_HOME: folder });
    await create();
    expect(records(folder)).toHaveLength(1);
  });

  test("is in the home that the system has for the user, as for the CLI, whatever HOME is", async () => {
    jest.spyOn(os, "userInfo").mockReturnValue({ homedir: join(folder, "system") } as never);
    restartIn("project", "name: shop\n", { ...usual, HOME: join(folder, "other") });
    await create();
    expect(records(join(folder, "system/.pulumi"))).toHaveLength(1);
  });
});
