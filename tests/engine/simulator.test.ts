import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadyLine } from "../../simulator/index";
import { simulated, testHome } from "./support/stack";

/** The simulator as a user has it: the packed package's command. */
function command(...args: string[]) {
  const child = spawn(join(testHome(), "node_modules/.bin/clouddb-simulator"), args);
  let stdout = "";
  let stderr = "";
  const ready = new Promise<ReadyLine>((resolve) => {
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (stdout.includes("\n")) resolve(JSON.parse(stdout) as ReadyLine);
    });
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { ready, ended, end: () => child.kill("SIGTERM") };
}

test("the packed simulator runs, serves its page, keeps its data, and ends on SIGTERM", async () => {
  const data = mkdtempSync(join(testHome(), "data-"));
  const first = command(
    "--data",
    data,
    "--fault",
    '{"method":"GET","times":1,"effect":{"kind":"status","status":503}}',
  );
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
  expect((await fetch(baseUrl + path, { headers })).status).toBe(503);

  const second = await command("--data", data).ended;
  expect(second).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("another simulator uses") });
  first.end();
  expect((await first.ended).code).toBe(0);

  const third = command("--data", data);
  const again = await third.ready;
  expect((await fetch(again.baseUrl + path, { headers })).status).toBe(200);
  third.end();
  expect((await third.ended).stderr).toContain("goes on with what");
});

test("mistakes on its command line are said in one sentence", async () => {
  const notJson = join(testHome(), "seed.json");
  writeFileSync(notJson, "{ organizations: []");
  const noSeed = join(testHome(), "no-seed.json");
  writeFileSync(noSeed, '{"organisations":[]}');
  const { baseUrl } = await simulated();
  const mistakes: [string[], string][] = [
    [["--port", "http"], "--port http is no port"],
    [["--port", new URL(baseUrl).port], "the port is in use; choose another with --port"],
    [["--tier", "GOLD"], "--tier GOLD is not one of BASIC, SCALE, ENTERPRISE"],
    [["--seed", notJson], `--seed ${notJson} is no JSON`],
    [["--seed", noSeed], "the seed is not usable: body has no field organisations"],
    [["--seed", "/nowhere.json"], "no such file or directory, open '/nowhere.json'"],
    [["--seed", noSeed, "--unpaid"], "--tier and --unpaid do not go with --seed"],
    [["--fault", "503"], "the seed is not usable: faults.0 must be object"],
    [["--rate-limit", "fast"], "--rate-limit fast is not of the form N/S, such as 10/10"],
    [["--host", "0.0.0.0"], "give it a --key-id, --key-secret and --access-token of your own"],
    [["--colour"], "Unknown option '--colour'"],
  ];
  await Promise.all(
    mistakes.map(async ([args, says]) => {
      const { code, stdout, stderr } = await command(...args).ended;
      expect([args, code, stdout, stderr]).toEqual([args, 1, "", expect.stringContaining(says)]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }),
  );
});
