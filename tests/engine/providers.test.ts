import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ADAPTER } from "../support/adapters/handlers";
import {
  ENTRIES,
  expectFailure,
  newStack,
  restartWithNewKey,
  simulated,
  testHome,
} from "./support/stack";

test("a component uses its provider's account, with missing settings from variables and configuration", async () => {
  const [home, away] = [
    await simulated({ keySecret: "home-key" }),
    await simulated({ keySecret: "away-key" }),
  ];
  const stack = await newStack(home, "");
  stack.environment({ CLOUDDB_KEY_ID: undefined, AWAY_KEY: "away-key" });
  const configuration = ["clouddb:keyId=simulator", "clouddb:organisationId=x"];
  await stack.pulumi(
    "config",
    "set-all",
    ...configuration.flatMap((entry) => ["--plaintext", entry]),
  );
  stack.program(`
    class Box extends pulumi.ComponentResource {
      constructor(name, opts) {
        super("test:index:Box", name, {}, opts);
        const { id } = new clouddb.Service("there", {}, { parent: this });
        this.found = clouddb.getServiceOutput({ serviceId: id }, { parent: this, dependsOn: [this] }).name;
      }
    }
    const arguments = { baseUrl: "${away.baseUrl}", maxRetries: 1 };
    const account = new clouddb.Provider("away", arguments, { envVarMappings: { AWAY_KEY: "CLOUDDB_KEY_SECRET" } });
    new clouddb.Service("here", {});
    exports.found = new Box("box", { providers: { clouddb: account } }).found;
  `);
  const output = await stack.up();
  expect(output).toMatch(/found: "there"/);
  const [, diagnostics = ""] = output.split("Diagnostics:");
  const warnings = diagnostics.match(
    /clouddb:organisationId is no setting .*: did you mean organizationId\?/g,
  );
  expect(warnings).toHaveLength(1);
  expect((await home.services()).map(({ name }) => name)).toEqual(["here"]);
  expect((await away.services()).map(({ name }) => name)).toEqual(["there"]);
  await stack.refresh("--expect-no-changes");
  const state = await stack.resources();
  expect(JSON.stringify(state)).not.toMatch(/away-key|home-key/);
  const stored = state.find(({ urn }) => urn.endsWith("::away"))?.inputs ?? {};
  expect(Object.keys(stored).filter((key) => key.endsWith("keySecret"))).toEqual([]);
});

test.each(["clouddb", "*"])(
  "without the default provider of %s, transformed resources have a provider; other resources fail",
  async (name) => {
    const api = await simulated();
    const give = `
      const provider = new clouddb.Provider("given");
      pulumi.runtime.registerStackTransformation(({ props, opts }) =>
        ({ props, opts: pulumi.mergeOptions(opts, { provider }) }));`;
    const stack = await newStack(api, `new clouddb.Service("db", {});`);
    await stack.pulumi("config", "set", "pulumi:disable-default-providers", JSON.stringify([name]));
    const refused = await expectFailure(stack.preview());
    expect(refused).toMatch(
      name === "clouddb" && ADAPTER === "dynamic"
        ? /Service "db" has no provider.*CDB2010/
        : /Default provider for '.*' disabled/,
    );
    expect(refused).not.toMatch(/\n\s+at /);
    stack.program(`${give} new clouddb.Service("db", {});`);
    await stack.up();
    expect(await api.services()).toHaveLength(1);
  },
);

test("after a key change, refresh and destroy fail with instructions, and then succeed", async () => {
  const data = mkdtempSync(join(testHome(), "data-"));
  const api = await simulated({ data, keySecret: "old-key" });
  const { service } = await api.change("POST", "", { name: "elder" });
  const { id } = service as { id: string };
  const stack = await newStack(
    api,
    `new clouddb.Service("db", { existingServiceId: "${id}" }, { protect: false });`,
  );
  stack.environment({ CLOUDDB_KEY_SECRET: undefined });
  await stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "old-key");
  await stack.up();

  await restartWithNewKey(api, data);
  await stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "new-key");
  const refused = await expectFailure(stack.refresh());
  expect(refused).toContain("returned 401");
  expect(refused).not.toMatch(/Reading service .*: Reading service /);
  expect(refused).toMatch(/use the keys of the last `pulumi up`: .*--run-program/);
  await stack.refresh("--run-program");
  await stack.up();
  expect(JSON.stringify(await stack.resources())).not.toMatch(/old-key|new-key/);
  await stack.destroy();
});

/**
 * A component library with its own copy of the package, as npm installs it on a version conflict.
 */
function addLibrary(folder: string): void {
  const library = join(folder, "node_modules", "box-library");
  mkdirSync(join(library, "node_modules"), { recursive: true });
  const [copied, copy] = [testHome(), library].map((place) =>
    join(place, "node_modules", "pulumi-clouddb"),
  );
  cpSync(String(copied), String(copy), { recursive: true });
  writeFileSync(
    join(library, "index.js"),
    `const pulumi = require("@pulumi/pulumi");
     const clouddb = require("${ENTRIES[ADAPTER]}");
     exports.Box = class Box extends pulumi.ComponentResource {
       constructor(name, args) {
         super("box:index:Box", name);
         this.service = new clouddb.Service(name, args, { parent: this });
       }
     };`,
  );
}

const PROGRAM = `exports.id = new (require("box-library").Box)("box").service.id;`;

test("a component library with its own copy of the package works, and duplicate owners are found", async () => {
  const api = await simulated();
  const service = `{ existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" }`;
  const stack = await newStack(
    api,
    `new (require("box-library").Box)("box", ${service}); new clouddb.Service("db", ${service});`,
  );
  addLibrary(stack.folder);
  // The engine checks both at the same time.
  expect(await expectFailure(stack.preview())).toMatch(
    /"(box|db)" and "(box|db)" both manage service/,
  );
  expect(await api.requests()).toEqual([]);
  stack.program(PROGRAM);
  await stack.up();
  expect(await api.services()).toHaveLength(1);
});

test("a missing package is named by a component library, unless a plugin has all it needs", async () => {
  const api = await simulated();
  // Outside the shared folder, with everything that is installed there except the package.
  const alone = mkdtempSync(`${testHome()}-alone-`);
  try {
    mkdirSync(join(alone, "node_modules"));
    const shared = join(testHome(), "node_modules");
    for (const name of readdirSync(shared).filter((text) => text !== "pulumi-clouddb")) {
      symlinkSync(join(shared, name), join(alone, "node_modules", name));
    }
    addLibrary(alone);
    const stack = await newStack(api, "", alone);
    writeFileSync(join(alone, "index.js"), PROGRAM);
    if (ADAPTER === "native") {
      expect(await stack.preview()).toContain("+ 3 to create");
      return;
    }
    const output = await expectFailure(stack.preview());
    expect(output).toContain("Cannot find pulumi-clouddb from");
    expect(output).toContain("install it there");
    expect(output).not.toMatch(/\n\s+at /);
  } finally {
    rmSync(alone, { recursive: true, force: true });
  }
});
