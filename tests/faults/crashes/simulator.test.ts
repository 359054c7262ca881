import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ReadyLine } from "../../../simulator/index";
import { createTestApi } from "../../support/api";
import { root } from "../../support/root";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clouddb-memory-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The built command: the tests need a process to kill. */
const CLI = join(root, "simulator/bin/clouddb-simulator.js");
const KILLS = 50;

test(`no acknowledged write is lost when the simulator is killed ${KILLS} times under load`, async () => {
  if (!existsSync(CLI)) throw new Error("The simulator is not built; run `npm run build`.");
  /** For each service, the last acknowledged value and the last requested one. */
  const services = new Map<string, { acknowledged: number; requested: number }>();
  let writes = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const simulator = await spawnSimulator();
    try {
      await expectAll(simulator.ready);
      // Each round kills at a different moment, with different writes in flight.
      const until = writes + 1 + ((round * 7) % 40);
      const kill = () => simulator.child.kill("SIGKILL");
      await Promise.allSettled(
        [1, 2, 3, 4].map((worker) =>
          write(simulator.ready, worker, () => writes >= until && kill()),
        ),
      );
    } finally {
      simulator.child.kill("SIGKILL");
      await simulator.ended;
    }
  }
  const last = await spawnSimulator();
  await expectAll(last.ready);
  last.child.kill("SIGTERM");
  await last.ended;
  expect(writes).toBeGreaterThan(10 * KILLS);

  /** Creates a service and updates it repeatedly, until the connection breaks. */
  async function write(ready: ReadyLine, worker: number, onWrite: () => void): Promise<void> {
    const created = await send<{ service: { id: string } }>(ready, "POST", "", {
      name: `worker ${worker}`,
    });
    services.set(created.service.id, { acknowledged: 0, requested: 0 });
    const state = services.get(created.service.id) as { acknowledged: number; requested: number };
    for (let value = 5; ; value += 1) {
      state.requested = value;
      await send(ready, "PATCH", `/${created.service.id}/replicaScaling`, {
        idleTimeoutMinutes: value,
      });
      state.acknowledged = value;
      writes += 1;
      onWrite();
    }
  }

  async function expectAll(ready: ReadyLine): Promise<void> {
    const stored = await createTestApi(ready).services();
    const matches = new Map(
      stored.map((service) => [service.id, Number(service.idleTimeoutMinutes)]),
    );
    for (const [id, { acknowledged, requested }] of services) {
      const value = matches.get(id);
      expect(value).toBeDefined();
      if (acknowledged > 0) expect(value).toBeGreaterThanOrEqual(acknowledged);
      if (requested > 0) expect(value).toBeLessThanOrEqual(Math.max(requested, 15));
    }
  }
});

test("the simulator stops even if a client never finishes its request, after any number of signals", async () => {
  const { ready, child, ended } = await spawnSimulator();
  const socket = connect(Number(new URL(ready.baseUrl).port), "127.0.0.1");
  const closed = once(socket, "close");
  socket.write(
    "PUT /__admin/seed HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
  );
  await once(socket, "data");
  for (const signal of ["SIGTERM", "SIGINT", "SIGTERM"] as const) child.kill(signal);
  expect(await ended).toBe(0);
  await closed;
});

async function send<Result>(
  ready: ReadyLine,
  method: string,
  path: string,
  body: object,
): Promise<Result> {
  const response = await fetch(
    `${ready.baseUrl}/v1/organizations/${ready.organizationId}/services${path}`,
    {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${ready.keyId}:${ready.keySecret}`).toString("base64")}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    },
  );
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { result: Result }).result;
}

async function spawnSimulator(): Promise<{
  child: ChildProcess;
  ready: ReadyLine;
  ended: Promise<unknown>;
}> {
  const child = spawn(process.execPath, [CLI, "--data", folder], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const line = new Promise<string>((resolve) =>
    createInterface(child.stdout).once("line", resolve),
  );
  const ready = await Promise.race([line, ended.then(() => undefined)]);
  if (ready === undefined) throw new Error("the simulator ended before it was ready");
  return { child, ready: JSON.parse(ready) as ReadyLine, ended };
}
