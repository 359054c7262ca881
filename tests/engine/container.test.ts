import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "../support/free-port";
import { testHome } from "./support/stack";

/** The command of the packed Containerfile, run without a container engine: as process 1 of a namespace. */

const containerfile = readFileSync(join(testHome(), "node_modules/clouddb-simulator/Containerfile"), "utf8");
const NAMESPACE = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child"];
const CREDENTIALS = {
  CLOUDDB_SIMULATOR_KEY_ID: "test",
  CLOUDDB_SIMULATOR_KEY_SECRET: "s3cret",
  CLOUDDB_SIMULATOR_ACCESS_TOKEN: "t0ken",
};

function hasNamespaces(): boolean {
  try {
    execFileSync("unshare", [...NAMESPACE, "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const testWithNamespaces = hasNamespaces()
  ? test
  : (name: string, _body: () => Promise<void>) => test.skip(`${name} (needs user namespaces: unshare)`, () => {});

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
});

/** The command of an instruction, with another port: tests run side by side. */
function commandOf(instruction: string, port: string): [string, ...string[]] {
  const [, list] = new RegExp(`^ *${instruction} (\\[.*\\])$`, "m").exec(containerfile) ?? [];
  if (list === undefined) throw new Error(`the Containerfile has no ${instruction} as a list`);
  return JSON.parse(list.replaceAll("4010", port));
}

function environment(credentials: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${join(testHome(), "node_modules/.bin")}:${process.env.PATH}`, ...credentials };
}

testWithNamespaces("as process 1, it is healthy, and on SIGTERM answers what has begun", async () => {
  const port = String(await freePort());
  const args = [...NAMESPACE, ...commandOf("ENTRYPOINT", port)];
  const container = spawn("unshare", args, { env: environment(CREDENTIALS), stdio: ["ignore", "pipe", "inherit"] });
  children.push(container);
  const ended = once(container, "exit");
  const ready = JSON.parse((await once(createInterface(container.stdout), "line"))[0]);
  expect(ready).toMatchObject({ baseUrl: `http://127.0.0.1:${port}`, keyId: "test", keySecret: "s3cret" });

  const [health, ...healthArgs] = commandOf("CMD", port);
  await promisify(execFile)(health, healthArgs);

  const faults = [{ times: 1, effect: { kind: "latency", milliseconds: 600_000 } }];
  await fetch(`${ready.baseUrl}/__admin/faults`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ faults }),
  });
  const response = fetch(`${ready.baseUrl}/v1/organizations/${ready.organizationId}/services`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Basic ${btoa("test:s3cret")}` },
    body: "{}",
  });
  // The rule is used up once the request has arrived.
  while ((await (await fetch(`${ready.baseUrl}/__admin/faults`)).text()).includes("latency"));
  process.kill(processOne(container), "SIGTERM");
  expect((await response).status).toBe(200);
  expect(await ended).toEqual([0, null]);
  await expect(promisify(execFile)(health, healthArgs)).rejects.toMatchObject({ code: 1 });
});

test("without credentials it does not start, because other machines can reach it", async () => {
  const [name, ...args] = commandOf("ENTRYPOINT", "0");
  await expect(promisify(execFile)(name, args, { env: environment() })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("set --key-id, --key-secret and --access-token"),
  });
});

test("the image does not run as root, and has no port but the one that it serves", () => {
  expect(containerfile).toMatch(/^USER [1-9]\d*$/m);
  expect(containerfile.match(/^EXPOSE .*$/gm)).toEqual(["EXPOSE 4010"]);
});

/** The id of the namespace's first process outside of it. */
function processOne({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
}
