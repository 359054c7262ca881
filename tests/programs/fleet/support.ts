import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { BACKEND } from "../../engine/backends/backend";
import { environmentIn, expectOk, runOf, testHome } from "../../engine/support/stack";
import type { TestApi } from "../../support/api";
import { root } from "../../support/root";

/**
 * The project of examples/fleet with a number of stacks, and the packed commands, run as users do.
 */

const EXAMPLE = join(root, "examples/fleet");
const PROJECT = "clouddb-fleet";
export const COMMAND = () => join(testHome(), "node_modules/.bin/clouddb-fleet");

export type Fleet = Awaited<ReturnType<typeof newFleet>>;
type Tool = "roll-out" | "drift";

const running: ChildProcess[] = [];
afterAll(() => {
  for (const { pid, exitCode, signalCode } of running)
    if (pid !== undefined && exitCode === null && signalCode === null)
      process.kill(-pid, "SIGKILL");
});

/** A new project with empty stacks. In files, all but the first are copies of it. */
export async function newFleet(api: TestApi, count: number) {
  const folder = mkdtempSync(join(testHome(), "fleet-"));
  const environment = await environmentIn(folder, api);
  mkdirSync(join(folder, "state"));
  // Compiled once: Pulumi would compile it again for each stack.
  const program = readFileSync(join(EXAMPLE, "index.ts"), "utf8");
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { module: ts.ModuleKind.CommonJS },
  });
  writeFileSync(join(folder, "index.js"), outputText);
  const project = readFileSync(join(EXAMPLE, "Pulumi.yaml"), "utf8");
  const compiled = "runtime:\n  name: nodejs\n  options:\n    typescript: false\nmain: index.js";
  writeFileSync(join(folder, "Pulumi.yaml"), project.replace("runtime: nodejs", compiled));

  /** Starts a command in a process group of its own, as a shell does. */
  const start = (name: string, args: readonly string[]) => {
    const child = spawn(name, args, { cwd: folder, env: environment, detached: true });
    running.push(child);
    return runOf(child, -1);
  };
  const command = (name: string, ...args: string[]) => start(name, args).ended;

  const names = Array.from(
    { length: count },
    (_, index) => `s-${String(index + 1).padStart(2, "0")}`,
  );
  const [first = "", ...others] = names;
  const init = (name: string) =>
    expectOk(command("pulumi", "stack", "init", name, "--non-interactive"));
  await init(first);
  const states = join(folder, "state/.pulumi/stacks", PROJECT);
  const settings = readFileSync(join(folder, `Pulumi.${first}.yaml`), "utf8");
  for (const name of others) {
    if (BACKEND !== "files") {
      await init(name);
      continue;
    }
    const state = readFileSync(join(states, `${first}.json`), "utf8");
    writeFileSync(join(states, `${name}.json`), state.replaceAll(first, name));
    writeFileSync(join(folder, `Pulumi.${name}.yaml`), settings);
  }
  const configure = (name: string, values: Readonly<Record<string, unknown>>) => {
    const lines = Object.entries(values).map(
      ([key, value]) => `  ${PROJECT}:${key}: ${JSON.stringify(value)}\n`,
    );
    writeFileSync(join(folder, `Pulumi.${name}.yaml`), `${settings}config:\n${lines.join("")}`);
  };

  return {
    folder,
    names,
    command,
    /** Selects a stack, as a user does in the project's folder. */
    select: (name: string) => expectOk(command("pulumi", "stack", "select", name)),
    selected: async () => (await expectOk(command("pulumi", "stack", "--show-name"))).trim(),
    started: (tool: Tool, ...args: string[]) => start(COMMAND(), [tool, ...args]),
    /** Runs a tool until it ends. */
    tool: (tool: Tool, ...args: string[]) => command(COMMAND(), tool, ...args),
    configure,
    /** Sets the number of replicas in the configuration of all stacks. */
    resize: (numReplicas: number) => names.forEach((name) => void configure(name, { numReplicas })),
    report: () => readFileSync(join(folder, "report.md"), "utf8"),
  };
}

/** The results of stacks by name. */
export function resultsIn(output: string): Record<string, string> {
  const lines = [...output.matchAll(/^(s-\d\d): (?!started)([a-z ]+\w)/gm)];
  return Object.fromEntries(lines.map(([, name, result]) => [name, result]));
}

/** The arguments of a roll-out that watches an alert for a time. */
export const watching = (time: string) =>
  ["--canary", "s-02", "--watch-alert", "alert-errors=OK", "--for", time] as const;

/** Shows the alert in these states, one for each read; the last one stays. */
export async function setAlert(api: TestApi, ...states: readonly string[]): Promise<void> {
  const faults = states.map((state, index) => ({
    method: "GET" as const,
    path: "alerts",
    ...(index < states.length - 1 && { times: 1 }),
    effect: {
      kind: "status" as const,
      status: 200,
      body: { data: { id: "alert-errors", state } },
    },
  }));
  await api.faults(...faults);
}

/** The name of a stack's service. */
export const serviceOf = (stack: string) => `orders ${stack.replace("-", " ")}`;

/** The stacks whose services were created, in order. */
export function stacksIn(requests: readonly { readonly body: unknown }[]): string[] {
  return requests.map(({ body }) =>
    String((body as { name?: string }).name).replace("orders s ", "s-"),
  );
}
