import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { ReadyLine } from "../../simulator/index";
import { simulated, testHome } from "./support/stack";

/** The simulator as users run it: the command of the packed package. */
function packed(...args: string[]) {
  const program = join(testHome(), "node_modules/.bin/clouddb-simulator");
  let child = {} as ChildProcess;
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child = execFile(program, args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
  const ready = once(createInterface(child.stdout as Readable), "line").then(
    ([line]) => JSON.parse(line) as ReadyLine,
  );
  return { ready, ended, end: () => child.kill("SIGTERM") };
}

test("the packed simulator serves the API and its page, keeps its data and stops on SIGTERM", async () => {
  const data = mkdtempSync(join(testHome(), "data-"));
  const first = packed("--data", data);
  const { baseUrl, page, keyId, keySecret, organizationId } = await first.ready;
  const html = await (await fetch(page)).text();
  for (const [, file] of html.matchAll(/(?:src|href)="([^#"]+)"/g)) {
    expect([file, (await fetch(page + file)).status]).toEqual([file, 200]);
  }
  const headers = {
    authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
    "content-type": "application/json",
  };
  const services = `/v1/organizations/${organizationId}/services`;
  const created = await fetch(baseUrl + services, { method: "POST", headers, body: "{}" });
  const { result } = (await created.json()) as { result: { service: { id: string } } };
  const path = `${services}/${result.service.id}`;
  expect((await fetch(baseUrl + path, { headers })).status).toBe(200);

  const second = await packed("--data", data).ended;
  expect(second).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("another simulator uses"),
  });
  first.end();
  expect((await first.ended).code).toBe(0);

  const third = packed("--data", data);
  const again = await third.ready;
  expect((await fetch(again.baseUrl + path, { headers })).status).toBe(200);
  third.end();
  expect((await third.ended).stderr).toBe(
    `clouddb-simulator: using the existing data in ${data}\n`,
  );

  const seed = join(testHome(), "other-seed.json");
  writeFileSync(seed, "{}");
  const fourth = packed("--data", data, "--seed", seed);
  await fourth.ready;
  fourth.end();
  expect((await fourth.ended).stderr).toBe(
    `clouddb-simulator: using the existing data in ${data}; ignoring --seed until POST /__admin/reset\n`,
  );
});

test("invalid command-line options are reported in one sentence", async () => {
  const notJson = join(testHome(), "seed.json");
  writeFileSync(notJson, "{ organizations: []");
  const invalidSeed = join(testHome(), "no-seed.json");
  writeFileSync(invalidSeed, '{"organisations":[]}');
  const { baseUrl } = await simulated();
  const mistakes: [string[], string][] = [
    [
      ["--port", "http"],
      "option '--port <N>' argument 'http' is invalid. It must be an integer from 0 to 65535.",
    ],
    [
      ["--port", new URL(baseUrl).port],
      `port ${new URL(baseUrl).port} is in use; choose another with --port`,
    ],
    [["--tier", "GOLD"], "Allowed choices are BASIC, SCALE, ENTERPRISE."],
    [["--seed", notJson], "in JSON at position"],
    [["--seed", invalidSeed], "invalid options: seed has no field organisations"],
    [["--seed", "/nowhere.json"], "no such file or directory, open '/nowhere.json'"],
    [
      ["--seed", invalidSeed, "--unpaid"],
      "option '--unpaid' cannot be used with option '--seed <FILE>'",
    ],
    [
      ["--key-secret", ""],
      "option '--key-secret <TEXT>' argument '' is invalid. It must not be empty.",
    ],
    [["--data", ""], "option '--data <DIR>' argument '' is invalid. It must not be empty."],
    [["--data", "/proc/nowhere/data"], "cannot store data in /proc/nowhere/data: "],
    [["--colour"], "unknown option '--colour'"],
  ];
  await Promise.all(
    mistakes.map(async ([args, says]) => {
      const { code, stdout, stderr } = await packed(...args).ended;
      expect([args, code, stdout, stderr]).toEqual([args, 1, "", expect.stringContaining(says)]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }),
  );
});
