import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder";
import { recordsIn, useJournal } from "./journal-setup";
import { failureOf } from "./support";

/**
 * The backend of a stack, which tells the records of one stack from those of another, and the
 * default place.
 */

const setup = useJournal();
const { records } = setup;
/** The service that `pulumi up` creates or finds. */
const create = async (args = {}) => (await setup.create(args)).id;
let folder: string;

beforeEach(() => {
  folder = temporaryFolder("backend");
  mkdirSync(join(folder, "login"));
  writeFileSync(
    join(folder, "login/credentials.json"),
    JSON.stringify({ current: "https://api.pulumi.com" }),
  );
});
afterEach(() => jest.restoreAllMocks());

/** Another command in a project with this file. */
function restartIn(
  project: string,
  text: string,
  environment: Record<string, string> = {},
  file = "Pulumi.yaml",
) {
  mkdirSync(join(folder, project), { recursive: true });
  writeFileSync(join(folder, project, file), text);
  jest.spyOn(process, "cwd").mockReturnValue(join(folder, project));
  setup.restart({
    PULUMI_BACKEND_URL: "",
    PULUMI_CREDENTIALS_PATH: join(folder, "login"),
    ...environment,
  });
}

describe("addresses of several backends", () => {
  const inPlace = (address: string, environment: Record<string, string>) =>
    restartIn("project", "name: shop", { PULUMI_BACKEND_URL: address, ...environment });

  test.each<[address: string, one: Record<string, string>, other: Record<string, string>]>([
    [
      "azblob://states",
      { AZURE_STORAGE_ACCOUNT: "staging" },
      { AZURE_STORAGE_ACCOUNT: "production" },
    ],
    [
      "azblob://states?storage_account=a",
      { AZURE_STORAGE_DOMAIN: "one" },
      { AZURE_STORAGE_DOMAIN: "two" },
    ],
    [
      "s3://states",
      { AWS_ENDPOINT_URL_S3: "https://one.example" },
      { AWS_ENDPOINT_URL_S3: "https://two.example" },
    ],
    ["s3://states", { AWS_ENDPOINT_URL: "https://one.example" }, {}],
    ["gs://states", { STORAGE_EMULATOR_HOST: "one:9000" }, { STORAGE_EMULATOR_HOST: "two:9000" }],
    ["postgres:///states", { PGHOST: "one", PGPORT: "5432" }, { PGHOST: "one", PGPORT: "5433" }],
    [
      "postgres://user:password@/",
      { PGHOST: "one", PGDATABASE: "a" },
      { PGHOST: "one", PGDATABASE: "b" },
    ],
  ])(
    "stacks with the address %s but the variables %j and %j each get a service",
    async (address, one, other) => {
      inPlace(address, one);
      const id = await create();
      inPlace(address, other);
      expect(await create()).not.toBe(id);
      inPlace(address, one);
      expect(await create()).toBe(id);
      const texts = records().map(({ text }) => text);
      expect(texts.join()).not.toContain("password@");
    },
  );

  test.each<[address: string, one: Record<string, string>, other: Record<string, string>]>([
    [
      "azblob://states?storage_account=a&domain=b",
      {},
      { AZURE_STORAGE_ACCOUNT: "x", AZURE_STORAGE_DOMAIN: "x" },
    ],
    ["azblob://states", {}, { AWS_ENDPOINT_URL: "https://x.example", PGHOST: "x" }],
    [
      "s3://states?endpoint=minio:9000",
      {},
      { AWS_ENDPOINT_URL: "https://x.example", AWS_ENDPOINT_URL_S3: "x" },
    ],
    [
      "postgres://db.example:5432/states",
      {},
      { PGHOST: "x", PGPORT: "1", PGDATABASE: "x", PGPASSWORD: "x" },
    ],
    ["https://api.example.com", {}, { AZURE_STORAGE_ACCOUNT: "x" }],
    ["file:///states", {}, { PGHOST: "x" }],
    // The more specific of two variables counts, without credentials.
    [
      "s3://states",
      { AWS_ENDPOINT_URL: "https://user:one@minio.example", AWS_ENDPOINT_URL_S3: "" },
      { AWS_ENDPOINT_URL: "https://x", AWS_ENDPOINT_URL_S3: "https://user:two@minio.example" },
    ],
  ])(
    "a stack with the address %s has one backend with either of the variables %j and %j",
    async (address, one, other) => {
      inPlace(address, one);
      const id = await create();
      inPlace(address, other);
      expect(await create()).toBe(id);
    },
  );

  test("a record without its backend's variables stops a creation by a command that has them", async () => {
    inPlace("azblob://states", {});
    const id = await create();
    const inputs = await setup.checkArgs({ name: "orders" });
    const placed = { AZURE_STORAGE_ACCOUNT: "production" };
    inPlace("azblob://states", placed);
    const { message } = await failureOf(setup.handlers.create(inputs));
    expect(message).toMatch(
      /^Creating service "orders": an earlier command recorded its creation at .*another stack than this one in azblob:\/\/states with AZURE_STORAGE_ACCOUNT=production\. Nothing was sent\./,
    );
    expect(message).toContain(`If service ${id} is of this stack, set existingServiceId to its id`);
    expect(message).toMatch(
      /If it is of another stack, .* creations discard [0-9a-f]{32} --journal .*CDB4012\]$/,
    );
    expect(await setup.api.services()).toHaveLength(1);
    inPlace("azblob://states", placed);
    const adopted = await setup.adopt(id);
    expect(adopted.outs.password).toEqual(expect.any(String));
    inPlace("azblob://states", placed);
    await adopted.in(setup.handlers).diff();
    expect(records()).toEqual([]);
  });
});

describe("a backend that cannot be determined", () => {
  test.each([
    ["an invalid project file", "backend: [", undefined, "Pulumi.yaml is not valid"],
    [
      "a duplicate key",
      "backend: { url: s3://a }\nbackend: { url: s3://b }\n",
      undefined,
      "Pulumi.yaml is not valid",
    ],
    [
      "a URL that is no text",
      "backend: { url: [s3://a] }\n",
      undefined,
      "Pulumi.yaml is not valid",
    ],
    ["an empty project file", "", undefined, "Pulumi.yaml is not valid"],
    ["no login", "name: shop\n", "{}", "has no login"],
    [
      "an encrypted login",
      "name: shop\n",
      '{ "$pulumiSecureStore": 1, "data": "x" }',
      "credentials.json is encrypted",
    ],
    ["an empty login", "name: shop\n", "", "credentials.json is not valid"],
    ["an invalid login", "name: shop\n", "{", "credentials.json is not valid"],
  ])(
    "a backend that cannot be determined stops a creation, and the error names the file: %s",
    async (_, project, login, reason) => {
      if (login !== undefined) writeFileSync(join(folder, "login/credentials.json"), login);
      restartIn("project", project);
      const message = await setup.refusal();
      expect(message).toMatch(
        /^The creation journal cannot determine the backend of this stack: .*nothing was sent/,
      );
      expect(message).toContain(reason);
      expect(await setup.api.requests()).toEqual([]);
    },
  );

  test("an invalid project file is ignored if the journal is off or PULUMI_BACKEND_URL is set", async () => {
    restartIn("project", "backend: [", { CLOUDDB_JOURNAL: "off" });
    await create();
    restartIn("project", "backend: [", { PULUMI_BACKEND_URL: "s3://states" });
    await create();
    expect(await setup.api.services()).toHaveLength(2);
  });

  test("an undetermined backend does not stop an adoption", async () => {
    const id = await create();
    restartIn("project", "backend: [");
    expect(await create({ existingServiceId: id })).toBe(id);
  });
});

const FROM_PROJECT = "s3://project";
test.each<
  [
    title: string,
    backend: string,
    text: string,
    environment?: Record<string, string>,
    file?: string,
  ]
>([
  ["the login", "https://api.pulumi.com/", "name: test\n"],
  ["a project file", FROM_PROJECT, "name: test\nbackend:\n  url: s3://project\n"],
  ["a comment behind the key", FROM_PROJECT, "backend: # states\n  url: s3://project\n"],
  ["a comment line", FROM_PROJECT, "backend:\n  # states\n  url: s3://project\n"],
  ["quoted keys", FROM_PROJECT, '"backend":\n  "url": "s3://project"\n'],
  ["flow style", FROM_PROJECT, '{ name: shop, backend: { other: 1, "url": s3://project } }\n'],
  ["a merged key", FROM_PROJECT, "x: &x { url: s3://project }\nbackend:\n  <<: *x\n"],
  ["a byte order mark", FROM_PROJECT, "\uFEFFbackend:\n  url: s3://project\n"],
  ["a JSON file", FROM_PROJECT, '{ "backend": { "url": "s3://project" } }', {}, "Pulumi.json"],
  [
    "a variable",
    "s3://variable",
    "backend:\n  url: s3://project\n",
    { PULUMI_BACKEND_URL: "s3://variable" },
  ],
  [
    "a server with a password",
    "postgres://db.example/pulumi?sslmode=require",
    "name: test\n",
    { PULUMI_BACKEND_URL: "postgres://user:one@db.example/pulumi?sslmode=require" },
  ],
  [
    "the login of another folder",
    "s3://login",
    "name: test\n",
    { PULUMI_CREDENTIALS_PATH: "../other" },
  ],
  ["a folder", "file:///states", "name: test\n", { PULUMI_BACKEND_URL: "file:///states" }],
  [
    "a folder in the project",
    "file://PROJECT/state",
    "name: test\n",
    { PULUMI_BACKEND_URL: "file://./state" },
  ],
  [
    "a home folder",
    `file://${os.userInfo().homedir}/states`,
    "name: test\n",
    { PULUMI_BACKEND_URL: "file://~/states" },
  ],
])(
  "a record's name is a hash of the backend and resource: %s",
  async (_, place, text, environment = {}, file = "Pulumi.yaml") => {
    const backend = place.replace("PROJECT", join(folder, "project"));
    mkdirSync(join(folder, "other"));
    writeFileSync(
      join(folder, "other/credentials.json"),
      JSON.stringify({ current: "s3://login" }),
    );
    restartIn("project", text, environment, file);
    await create();
    const [{ id, text: recorded } = { id: "", text: "{}" }] = records();
    const record = JSON.parse(recorded);
    expect(record.backend).toBe(backend);
    const identity = JSON.stringify([backend, "", record.urn, record.baseUrl]);
    expect(id).toBe(createHash("sha256").update(identity).digest("hex").slice(0, 32));
  },
);

describe("Pulumi's home", () => {
  const recordsOf = (home: string) => recordsIn(join(home, "clouddb-creations"));
  const usual = { CLOUDDB_JOURNAL: "", PULUMI_BACKEND_URL: "s3://states" };

  test("a relative PULUMI_HOME starts at the project's folder", async () => {
    restartIn("project", "name: shop\n", { ...usual, PULUMI_HOME: ".pulumi-home" });
    jest.spyOn(process, "cwd").mockReturnValue(join(folder, "project/program"));
    const id = await create();
    expect(recordsOf(join(folder, "project/.pulumi-home"))).toHaveLength(1);
    restartIn("project", "name: shop\n", { ...usual, PULUMI_HOME: ".pulumi-home" });
    expect(await create()).toBe(id);
  });

  test("the journal works if the user has no home folder", async () => {
    jest.spyOn(os, "userInfo").mockImplementation(() => {
      throw new Error("ENOENT");
    });
    restartIn("project", "name: shop\n", {
      ...usual,
      PULUMI_BACKEND_URL: "file:///states",
      PULUMI_HOME: folder,
    });
    await create();
    expect(recordsOf(folder)).toHaveLength(1);
  });

  test("the default journal is in the home folder that the system has for the user, not in HOME", async () => {
    jest.spyOn(os, "userInfo").mockReturnValue({ homedir: join(folder, "system") } as never);
    restartIn("project", "name: shop\n", { ...usual, HOME: join(folder, "other") });
    await create();
    expect(recordsOf(join(folder, "system/.pulumi"))).toHaveLength(1);
  });
});

describe("a default journal on a temporary machine", () => {
  const CI = { CI: "true" };
  const defaultPlace = () => ({ CLOUDDB_JOURNAL: "", PULUMI_HOME: temporaryFolder("home") });

  /** The lines about the journal while two services are created. */
  async function linesOf(environment: Record<string, string>): Promise<string[]> {
    setup.restart({ ...defaultPlace(), ...environment });
    for (const name of ["orders", "invoices"]) await create({ name });
    return setup.handlers.messages.filter((line) => line.includes("creation journal"));
  }

  test.each([CI, { KUBERNETES_SERVICE_HOST: "10.0.0.1" }])(
    "a default journal on a temporary machine with %j causes one warning",
    async (machine) => {
      expect(await linesOf(machine)).toEqual([
        expect.stringMatching(
          /^The creation journal is in .*clouddb-creations, which a CI runner or a pod loses .*Set clouddb:journal .* \[CDB4014\]$/,
        ),
      ]);
    },
  );

  test.each<[string, () => Record<string, string>]>([
    ["on a permanent machine", () => ({})],
    ["with CI=false", () => ({ CI: "false" })],
    ["if the journal is off", () => ({ ...CI, CLOUDDB_JOURNAL: "off" })],
    ["if a journal is configured", () => ({ ...CI, CLOUDDB_JOURNAL: setup.folder })],
  ])("a default journal causes no warning %s", async (_, environment) => {
    expect(await linesOf(environment())).toEqual([]);
  });

  test("a default journal that is temporary and cannot be written causes one warning", async () => {
    const home = join(folder, "file");
    writeFileSync(home, "a file, not a folder");
    expect(await linesOf({ ...CI, PULUMI_HOME: home })).toEqual([
      expect.stringContaining("cannot be written"),
    ]);
  });

  test("a default journal on a temporary machine causes no warning without a creation", async () => {
    const service = await setup.create();
    await service.in(setup.restart({ ...defaultPlace(), ...CI })).diff();
    expect(setup.handlers.messages).toEqual([]);
  });
});
