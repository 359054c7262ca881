import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ReadyLine } from "../../simulator/index";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clouddb-memory-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The build's own command, since a process is to be killed. */
const CLI = join(__dirname, "../../simulator/dist/cli.js");
const KILLS = 50;

test(`no answered write is lost when it is killed ${KILLS} times under load`, async () => {
  if (!existsSync(CLI)) throw new Error("There is no build: run `npm test`, which makes one.");
  /** What was answered: the last acknowledged value of each service, and what was asked later. */
  const services = new Map<string, { answered: number; asked: number }>();
  let answers = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const simulator = await spawned();
    try {
      await expectAll(simulator.ready);
      // Another moment each time, with other writes under way.
      const until = answers + 1 + ((round * 7) % 40);
      const kill = () => simulator.child.kill("SIGKILL");
      await Promise.allSettled(
        [1, 2, 3, 4].map((worker) => write(simulator.ready, worker, () => answers >= until && kill())),
      );
    } finally {
      simulator.child.kill("SIGKILL");
      await simulator.ended;
    }
  }
  const last = await spawned();
  await expectAll(last.ready);
  last.child.kill("SIGTERM");
  await last.ended;
  expect(answers).toBeGreaterThan(10 * KILLS);

  /** Creates a service, then changes one again and again, until the connection breaks. */
  async function write(ready: ReadyLine, worker: number, onAnswer: () => void): Promise<void> {
    const created = await ask<{ service: { id: string } }>(ready, "POST", "", { name: `worker ${worker}` });
    services.set(created.service.id, { answered: 0, asked: 0 });
    const state = services.get(created.service.id) as { answered: number; asked: number };
    for (let value = 5; ; value += 1) {
      state.asked = value;
      await ask(ready, "PATCH", `/${created.service.id}/replicaScaling`, { idleTimeoutMinutes: value });
      state.answered = value;
      answers += 1;
      onAnswer();
    }
  }

  async function expectAll(ready: ReadyLine): Promise<void> {
    const state = (await (await fetch(`${ready.baseUrl}/__admin/state`)).json()) as {
      organizations: { services: { id: string; idleTimeoutMinutes: number }[] }[];
    };
    const found = new Map(state.organizations[0]?.services.map((each) => [each.id, each.idleTimeoutMinutes]));
    for (const [id, { answered, asked }] of services) {
      const value = found.get(id);
      expect(value).toBeDefined();
      if (answered > 0) expect(value).toBeGreaterThanOrEqual(answered);
      if (asked > 0) expect(value).toBeLessThanOrEqual(Math.max(asked, 15));
    }
  }
});

async function ask<Result>(ready: ReadyLine, method: string, path: string, body: object): Promise<Result> {
  const response = await fetch(`${ready.baseUrl}/v1/organizations/${ready.organizationId}/services${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${ready.keyId}:${ready.keySecret}`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { result: Result }).result;
}

async function spawned(): Promise<{ child: ChildProcess; ready: ReadyLine; ended: Promise<unknown> }> {
  const child = spawn(process.execPath, [CLI, "--data", folder], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const line = new Promise<string>((resolve) => createInterface(child.stdout).once("line", resolve));
  const ready = await Promise.race([line, ended.then(() => undefined)]);
  if (ready === undefined) throw new Error("the simulator ended before it was ready");
  return { child, ready: JSON.parse(ready) as ReadyLine, ended };
}
