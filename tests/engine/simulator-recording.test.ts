import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packed } from "./support/simulator-command";
import { expectOk, newStack, simulated, testHome } from "./support/stack";

test("the requests of a program are recorded, and compared with those of the next run", async () => {
  const api = await simulated();
  const program = (replicas: number) => `
    for (const name of ["db-1", "db-2", "db-3"]) {
      new clouddb.Service(name, { region: "us-east-1", encryptionKey: "d1sk-key" }, { retainOnDelete: true });
    }
    new clouddb.ServiceScaling("size", {
      serviceId: new clouddb.Service("large", { region: "us-east-1" }, { retainOnDelete: true }).id,
      numReplicas: ${replicas},
    });`;
  async function run(replicas: number): Promise<void> {
    await api.reset();
    const stack = await newStack(api, program(replicas));
    await expectOk(stack.up());
  }
  const file = join(mkdtempSync(join(testHome(), "recording-")), "requests.json");
  const ended = (command: string) => packed(command, file, "--url", api.baseUrl).ended;

  await run(5);
  expect(await ended("record")).toEqual({ code: 0, stdout: `Recorded 6 requests in ${file}\n`, stderr: "" });
  const text = readFileSync(file, "utf8");
  expect(text).not.toContain("d1sk-key");
  expect(text).toContain('"path": "/v1/organizations/{organization}/services/{service large}/replicaScaling"');

  await run(5);
  expect(await ended("assert")).toEqual({ code: 0, stdout: `6 requests, as recorded in ${file}\n`, stderr: "" });

  await run(4);
  expect(await ended("assert")).toEqual({
    code: 1,
    stdout: `- expected: ${file}
+ received: ${api.baseUrl}

  … 5 equal requests
  PATCH /v1/organizations/{organization}/services/{service large}/replicaScaling → 200
  {
-   "numReplicas": 5
+   "numReplicas": 4
  }
`,
    stderr: `clouddb-simulator: the requests differ from ${file}; if this is intended, run \`clouddb-simulator record ${file} --url ${api.baseUrl}\`\n`,
  });
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("what cannot be recorded or compared is reported in one sentence", async () => {
  const { baseUrl, page } = await simulated();
  const folder = mkdtempSync(join(testHome(), "recording-"));
  const other = join(folder, "other.json");
  writeFileSync(other, '{"requests":[{"method":"GET"}]}');
  const mistakes: [string[], string][] = [
    [["record", "--url", baseUrl], "record needs one file: record FILE --url URL"],
    [["record", "a.json", "b.json", "--url", baseUrl], "record needs one file"],
    [["record", "a.json"], "--url must be the URL of a running simulator, such as http://127.0.0.1:4010\n"],
    [["record", "a.json", "--url", "4010"], 'such as http://127.0.0.1:4010; got "4010"'],
    [["record", "a.json", "--url", "http://127.0.0.1:9"], "no simulator answers at http://127.0.0.1:9 ("],
    [["record", join(folder, "none/a.json"), "--url", baseUrl], "cannot write "],
    [["assert", join(folder, "a.json"), "--url", page], "a.json'; create it with `clouddb-simulator record "],
    [["assert", other, "--url", baseUrl], "other.json is not a recording: requests.0 must have required property"],
    [["assert", other, "--url", baseUrl, "--port", "1"], "Unknown option '--port'"],
  ];
  await Promise.all(
    mistakes.map(async ([args, says]) => {
      const { code, stdout, stderr } = await packed(...args).ended;
      expect([args, code, stdout, stderr]).toEqual([args, 1, "", expect.stringContaining(says)]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }),
  );
});
