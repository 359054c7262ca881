import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, expectOk, newStack, simulated } from "../engine/support/stack";
import { EXAMPLE, exampleSeed } from "../support/example";

const SERVICE = EXAMPLE.service;

const notAnObject = (resource: string, got: string) =>
  `The arguments of ${resource} must be an object, whose values may be Outputs or Promises; got ${got}. [CDB1012]`;

test("an invalid argument or option is reported in one sentence", async () => {
  const api = await simulated();
  // Caught, because failing programs are slow to end. Pulumi prints only the message of a RunError.
  const attempts = {
    'new clouddb.Service("s", pulumi.output({ region: "us-east-1" }))': notAnObject(
      'Service "s"',
      "an Output",
    ),
    'new clouddb.Service("s", Promise.resolve({ region: "us-east-1" }))': notAnObject(
      'Service "s"',
      "a Promise",
    ),
    'new clouddb.Service("s", null)': notAnObject('Service "s"', "null"),
    'new clouddb.Organization("o", [])': notAnObject('Organization "o"', "a list"),
    'new clouddb.Provider("p", "eu")': notAnObject('Provider "p"', "a string"),
    'new clouddb.Pipe("p")': 'Pipe "p" requires serviceId and pipeId. [CDB1002]',
    'new clouddb.ServiceScaling("size")': 'ServiceScaling "size" requires serviceId. [CDB1002]',
    'new clouddb.Service("s", {}, { import: "id" })':
      'Service "s" does not support the import option: set existingServiceId to adopt an existing service. [CDB1015]',
    'new clouddb.Pipe("p", {}, { import: "id" })':
      'Pipe "p" does not support the import option: it adopts the existing pipe that pipeId names. [CDB1015]',
    'new clouddb.ServiceScaling("size", {}, { import: "id" })':
      'ServiceScaling "size" does not support the import option: it adopts the existing service that serviceId names. [CDB1015]',
    'new clouddb.Organization("o", {}, { import: "id" })':
      'Organization "o" does not support the import option: it adopts the existing organization that organizationId names. [CDB1015]',
    'new clouddb.Service("s", {}, { customTimeouts: { create: "5m" } })':
      'Service "s" does not support the option customTimeouts: remove it, or import the class from pulumi-clouddb/native. [CDB1014]',
    "clouddb.getService()": "getService requires serviceId. [CDB1002]",
    "clouddb.getService({})": "getService requires serviceId. [CDB1002]",
    'clouddb.getPipe({ serviceId: "id", pipeId: null })': "getPipe requires pipeId. [CDB1002]",
    "clouddb.getPipeSettings(null)":
      "The arguments of getPipeSettings must be an object; got null. [CDB1012]",
    'clouddb.getAlert(pulumi.output({ id: "alert" }))':
      "The arguments of getAlert must be an object; got an Output: use getAlertOutput instead. [CDB1012]",
    'clouddb.getAlert({ id: pulumi.output("alert") })':
      "The argument id of getAlert must be a non-empty string; got an Output: use getAlertOutput instead. [CDB1012]",
    'clouddb.getAlert({ id: "alert" }, { provider: {} })':
      'The provider of getAlert must be a Provider imported from "pulumi-clouddb", like getAlert itself. [CDB2004]',
  };
  const stack = await newStack(
    api,
    `const said = {};
     const attempt = async (text, act) => {
       try { await act(); said[text] = "nothing"; } catch (error) {
         said[text] = (pulumi.RunError.isInstance(error) ? "" : "not a RunError: ") + error.message;
       }
     };
     module.exports = async () => {
       ${Object.keys(attempts)
         .map((text) => `await attempt(${JSON.stringify(text)}, () => ${text});`)
         .join("\n")}
       require("node:fs").writeFileSync("said.json", JSON.stringify(said));
     };`,
  );
  await stack.preview();
  expect(JSON.parse(readFileSync(join(stack.folder, "said.json"), "utf8"))).toEqual(attempts);

  // The stack of an error that rejects an Output contains only the library's own frames.
  stack.program(`clouddb.getServiceOutput({ serviceId: pulumi.output(undefined) });`);
  const output = await expectFailure(stack.preview());
  expect(output).toMatch(/error: getService requires serviceId\. \[CDB1002\]\n/);
  expect(output).not.toMatch(/\n\s+at /);
  expect(await api.requests()).toEqual([]);
});

test("an Output of undefined or null counts as an omitted argument", async () => {
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(
    api,
    `const provider = new clouddb.Provider("account", {
       baseUrl: null, keyId: pulumi.output(undefined), keySecret: pulumi.output(null), organizationId: Promise.resolve(),
     });
     new clouddb.Service("made", {
       existingServiceId: pulumi.output(undefined), name: null, region: pulumi.output(null), tier: Promise.resolve(undefined),
       encryptionKey: pulumi.output(undefined), numReplicas: pulumi.output(undefined),
       ipAccessList: [{ source: "10.0.0.0/8", description: pulumi.output(undefined) }],
     }, { provider });
     new clouddb.Service("beside", { existingServiceId: null });
     new clouddb.Service("adopted", { existingServiceId: "${SERVICE}", numReplicas: pulumi.output(undefined) });
     new clouddb.ServiceScaling("size", { serviceId: "${SERVICE}", numReplicas: 3 });
     new clouddb.Pipe("pipe", {
       serviceId: "${SERVICE}", pipeId: "${EXAMPLE.pipes.postgres}", organizationId: null, name: pulumi.output(undefined),
       source: { kafka: null, postgres: Promise.resolve({ port: 6432, credentials: pulumi.output(undefined) }) },
       settings: pulumi.output(null), destination: null,
     });
     exports.id = clouddb.getServiceOutput({ serviceId: "${SERVICE}", organizationId: null }, { provider }).id;`,
  );
  await stack.pulumi("config", "set", "clouddb:keyId", api.keyId);
  stack.environment({ CLOUDDB_KEY_ID: undefined });
  await stack.up();
  const changes = (await api.requests()).filter(({ request }) => !request.startsWith("GET"));
  expect(changes.map(({ body }) => body)).toEqual(
    expect.arrayContaining([
      { name: "made", ipAccessList: [{ source: "10.0.0.0/8" }] },
      { name: "beside" },
      { source: { postgres: { port: 6432 } } },
    ]),
  );
  expect(changes).toHaveLength(3);
  await stack.up("--expect-no-changes");
});

test("the Automation API's inline programs report required settings, and destroy() works as documented", async () => {
  const api = await simulated();
  const stack = await newStack(api);
  const text = (first: string) => `
    const automation = require("@pulumi/pulumi/automation");
    const clouddb = require("pulumi-clouddb");
    ${first}
    const program = async () => {
      new clouddb.Service("db", {});
      new clouddb.Organization("organization", { name: "name" });
    };
    automation.LocalWorkspace.createOrSelectStack({ stackName: "inline", projectName: "inline", program })
      .then(async (stack) => {
        await stack.up();
        await stack.destroy().catch(({ message }) => console.log(message));
        const { deployment } = await stack.exportStack();
        console.log(deployment.resources.map(({ urn }) => urn.split("::").pop()).join());
      })
      .catch((error) => console.log(error.message));`;
  const run = async (first: string) => {
    writeFileSync(join(stack.folder, "inline.js"), text(first));
    return expectOk(
      stack.command(
        "sh",
        "-c",
        `cd / && TMPDIR=${stack.folder} exec node ${join(stack.folder, "inline.js")}`,
      ),
    );
  };
  const refused = await run("");
  expect(refused).toContain(
    "Cannot find pulumi-clouddb from /, the working directory of the Pulumi program",
  );
  expect(refused).toContain("call `process.chdir(__dirname)` first");

  const lines = (await run("process.chdir(__dirname);")).trim().split("\n");
  expect(lines.join("\n")).toContain("cannot be deleted");
  expect(lines.at(-1)).toBe("inline-inline,default,db");
  expect(await api.services()).toHaveLength(1);
});
