import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFileSync,
  spawn,
  spawnSync,
} from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { dynamicType, nativeType } from "../../../provider/names";
import { ADAPTER } from "../../support/adapters/handlers";
import { environmentOf, type TestApi } from "../../support/api";
import { root } from "../../support/root";
import { BACKEND, backend } from "../backends/backend";

export { restartWithNewKey, simulated } from "../../support/api";

/** The exit code and output of a command. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

export type Stack = Awaited<ReturnType<typeof newStack>>;

export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly initErrors?: string[];
  /** The place of the program at which the resource was made. */
  readonly sourcePosition?: string;
}

/** The module that programs import, by adapter. */
export const ENTRIES = { dynamic: "pulumi-clouddb", native: "pulumi-clouddb/native" } as const;

/** The type of a service in the state. */
export const SERVICE_TYPE = { dynamic: dynamicType, native: nativeType }[ADAPTER]("Service");

const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) if (child.exitCode === null) child.kill("SIGKILL");
});

/** The folder in which the packed packages are installed, for projects inside it. */
export function testHome(): string {
  const home = process.env.CLOUDDB_TEST_HOME;
  if (home === undefined) throw new Error("Engine tests run under `npm test`.");
  return home;
}

/** Where a project finds the plugin that is in the npm package. */
export function pluginPath(): string {
  return join(testHome(), "node_modules/pulumi-clouddb/native-plugin");
}

/**
 * The environment of commands in a project, whose stacks are stored in its folder or on the server
 * of these tests.
 */
export async function environmentIn(folder: string, api: TestApi): Promise<NodeJS.ProcessEnv> {
  return {
    ...process.env,
    CLOUDDB_TEST_FILE: relative(root, expect.getState().testPath ?? ""),
    // With the variable CI, each creation in the default journal would warn.
    CI: "",
    KUBERNETES_SERVICE_HOST: "",
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    NODE_OPTIONS,
    ...environmentOf(api),
    ...(BACKEND !== "files" && (await backend()).newStorage()),
  };
}

/** Node's options for each process of a stack. */
export const NODE_OPTIONS = `--require ${join(__dirname, "compile-cache.cjs")}`;

/** A new project with an empty stack, configured for a simulator by environment variables. */
export async function newStack(
  api: TestApi,
  program = "",
  folder = mkdtempSync(join(testHome(), "project-")),
) {
  // An empty stack `dev`, created by the global setup with `pulumi stack init`.
  cpSync(join(testHome(), "template"), folder, { recursive: true });
  const plugins = `plugins:\n  providers:\n    - name: clouddb\n      path: ${pluginPath()}\n`;
  if (ADAPTER === "native") appendFileSync(join(folder, "Pulumi.yaml"), plugins);
  const environment: NodeJS.ProcessEnv = {
    ...(await environmentIn(folder, api)),
    PULUMI_STACK: "dev",
  };

  const command = (name: string, ...args: string[]) => start(folder, environment, name, args).ended;
  const plainly = (args: string[]) => [...args, "--non-interactive", "--color", "never"];
  const pulumi = (...args: string[]) => expectOk(command("pulumi", ...plainly(args)));
  const stack = {
    folder,
    /** The output of a command of Pulumi; it rejects with a CommandError if the command fails. */
    pulumi,
    /** Starts the CLI without waiting for its end, for tests that interrupt it. */
    started: (...args: string[]) => start(folder, environment, "pulumi", plainly(args)),
    /** Runs another command in the project's folder, with the same environment. */
    command,
    /**
     * Replaces the program, in which `pulumi` and `clouddb` are defined: the entry of the adapter
     * under test, or another.
     */
    program: (text: string, entry: string = ENTRIES[ADAPTER]) => {
      const head = `const pulumi = require("@pulumi/pulumi");\nconst clouddb = require("${entry}");\n`;
      writeFileSync(join(folder, "index.js"), head + text);
    },
    preview: (...args: string[]) => pulumi("preview", "--diff", ...args),
    up: (...args: string[]) => pulumi("up", "--yes", "--skip-preview", ...args),
    refresh: (...args: string[]) => pulumi("refresh", "--yes", "--skip-preview", "--diff", ...args),
    destroy: (...args: string[]) => pulumi("destroy", "--yes", ...args),
    /** Changes the environment of later commands; undefined removes a variable. */
    environment: (variables: Record<string, string | undefined>) => {
      for (const [name, value] of Object.entries(variables)) {
        if (value === undefined) delete environment[name];
        else environment[name] = value;
      }
    },
    /** The resources of the stored state. */
    async resources(): Promise<StoredResource[]> {
      if (BACKEND !== "files") {
        const { deployment } = JSON.parse(await pulumi("stack", "export"));
        return deployment.resources ?? [];
      }
      // Reads the file that `pulumi stack export` prints.
      const text = readFileSync(join(folder, "state/.pulumi/stacks/test/dev.json"), "utf8");
      const { checkpoint } = JSON.parse(text);
      return checkpoint.latest?.resources ?? [];
    },
  };
  stack.program(program);
  if (BACKEND !== "files") await pulumi("stack", "init", "dev");
  return stack;
}

/** A new stack whose project does not say where the plugin is. */
export async function newStackWithoutPlugin(api: TestApi) {
  const stack = await newStack(api);
  cpSync(join(testHome(), "template/Pulumi.yaml"), join(stack.folder, "Pulumi.yaml"));
  return stack;
}

/** A stack with one of the repository's examples. */
export async function exampleStack(api: TestApi, name: string, config: Record<string, string>) {
  const stack = await newStack(api);
  writeFileSync(join(stack.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: program\n");
  cpSync(join(root, "examples", name), join(stack.folder, "program"), { recursive: true });
  const pairs = Object.entries(config).flatMap(([key, value]) => [
    /Secret|Password/.test(key) ? "--secret" : "--plaintext",
    `${key}=${value}`,
  ]);
  await stack.pulumi("config", "set-all", ...pairs);
  return stack;
}

/** The services in the state. */
export const storedServices = async (stack: Stack) =>
  (await stack.resources()).filter(({ type }) => type === SERVICE_TYPE);

/** The only service in the state. */
export async function storedService(stack: Stack): Promise<StoredResource> {
  const services = await storedServices(stack);
  expect(services).toHaveLength(1);
  return services[0] as StoredResource;
}

/** The failure of a command that must succeed. */
class CommandError extends Error implements Outcome {
  constructor(
    readonly code: number,
    readonly output: string,
  ) {
    super(`the command failed with exit code ${code}:\n${output}`);
  }
}

/** The output of a command that must succeed. */
export async function expectOk(command: Promise<Outcome>): Promise<string> {
  const { code, output } = await command;
  if (code !== 0) throw new CommandError(code, output);
  return output;
}

/** The exit code and output of a command that may fail. */
export const outcomeOf = (command: Promise<string | Outcome>): Promise<Outcome> =>
  command.then(
    (result) => (typeof result === "string" ? { code: 0, output: result } : result),
    (error) => {
      if (error instanceof CommandError) return error;
      throw error;
    },
  );

/** The output of a command that must fail. */
export async function expectFailure(command: Promise<string | Outcome>): Promise<string> {
  const { code, output } = await outcomeOf(command);
  if (code === 0) throw new Error(`the command should have failed:\n${output}`);
  return output;
}

export type Descendant = ReturnType<typeof descendants>[number];

/** All descendants of a process. */
export function descendants(pid: number) {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" })
    .trim()
    .split("\n");
  const all = lines.map((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), parent: Number(parent), command };
  });
  const under = (parent: number): typeof all =>
    all.filter((item) => item.parent === parent).flatMap((item) => [item, ...under(item.pid)]);
  return under(pid).map(({ pid, command }) => ({
    pid,
    command,
    isAlive: () => /^[^Z]/.test(stateOf(pid)),
  }));
}

/**
 * The state of a process, as ps writes it; empty if there is none. Z has ended, unnoticed by its
 * parent.
 */
function stateOf(pid: number): string {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim();
}

/** Kills processes. When this returns they are dead, though their parents may not have noticed. */
export function end(processes: readonly Descendant[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

function start(folder: string, env: NodeJS.ProcessEnv, command: string, args: string[]) {
  const child = spawn(command, args, { cwd: folder, env });
  running.push(child);
  return runOf(child);
}

/**
 * The run of a process, with another exit code for the end by a signal where a test has to tell it
 * apart.
 */
export function runOf(child: ChildProcessWithoutNullStreams, codeOfSignal = 1) {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? codeOfSignal, output }));
  });
  return {
    pid: child.pid ?? 0,
    /** The output so far. */
    output: () => output,
    ended,
  };
}
