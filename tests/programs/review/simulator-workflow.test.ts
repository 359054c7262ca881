import { symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expectOk, newStack, type Stack, simulated, testHome } from "../../engine/support/stack";
import { freePort, listen } from "../../support/free-port";
import { blockBehind } from "./support/blocks";

/** The commands of examples/ci/github/workflows/test.yml, with another port: tests run side by side. */

const FILE = "github/workflows/test.yml";

/** The step that starts the simulator, in a job with the packed packages. */
async function newJob(port: number): Promise<{ job: Stack; start: string }> {
  const job = await newStack(await simulated());
  symlinkSync(join(testHome(), "node_modules"), join(job.folder, "node_modules"));
  const key = { CLOUDDB_KEY_ID: "ci", CLOUDDB_KEY_SECRET: "no-secret" };
  job.environment({ CLOUDDB_BASE_URL: `http://127.0.0.1:${port}`, ...key });
  return { job, start: blockBehind(FILE, "- name: Start the simulator").replace("4010", String(port)) };
}

test("test.yml: the simulator is ready after its step", async () => {
  const port = await freePort();
  const { job, start } = await newJob(port);
  const { code, output } = await job.command("bash", "-e", "-c", `${start}\necho "process $!"`);
  const pid = Number(/^process (\d+)$/m.exec(output)?.[1]);
  try {
    expect(code).toBe(0);
    expect((await fetch(`http://127.0.0.1:${port}/__admin/health`)).status).toBe(200);
    job.program('new clouddb.Service("analytics", { region: "us-east-1" }, { retainOnDelete: true });');
    await expectOk(job.up());
  } finally {
    process.kill(pid, "SIGTERM");
  }
});

test("test.yml: if the simulator cannot start, its step fails and prints why", async () => {
  const server = createServer((socket) => socket.destroy());
  const { job, start } = await newJob(await listen(server));
  const failed = await job.command("bash", "-e", "-c", start);
  server.close();
  expect(failed).toEqual({
    code: 1,
    output: expect.stringContaining("the port is in use; choose another with --port"),
  });
});
