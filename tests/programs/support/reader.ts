import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import {
  newStack,
  type Outcome,
  type Stack,
  simulated,
  testHome,
} from "../../engine/support/stack";
import { environmentOf } from "../../support/api";
import { freePort } from "../../support/local-server";
import { publishedRegistry } from "../../support/registry";
import { root } from "../../support/root";
import { type Block, blocksOf } from "./markdown";

/*
 * The shell blocks of the documentation, run in the order of each page as a reader would, on the
 * real engine with the simulator. A block that cannot be run has a comment with the reason before
 * it.
 */

const isShell = ({ language }: Block) => ["sh", "bash", "shell"].includes(language);
const reasonOf = ({ directive = "" }: Block) => /^not run, (because .+)$/s.exec(directive)?.[1];

/** Runs the commands of a page and writes its files. Returns the output of each command. */
export async function follow(
  page: string,
  run: (block: Block) => Promise<Outcome>,
  blocks: readonly Block[] = blocksOf(page),
): Promise<string[]> {
  const printed: string[] = [];
  for (const block of blocks) {
    const isFile = block.directive?.startsWith("the file ");
    if (reasonOf(block) !== undefined || !(isShell(block) || isFile)) continue;
    const { code, output } = await run(block);
    if (code !== 0)
      throw new Error(`${page}:${block.line} ended with ${code}:\n${block.text}\n${output}`);
    printed.push(output);
  }
  return printed;
}

const FIRST_STEPS = "docs/getting-started.md";
const LANGUAGES = ["TypeScript", "Python", "Go", "YAML"] as const;
/** The steps after the first ones, which are for users of TypeScript. */
const TYPESCRIPT_ONLY = ["Create a project from a template"];

/** The page of the first steps, and its blocks for a reader who uses one language. */
export function firstSteps(language: (typeof LANGUAGES)[number]): {
  page: string;
  blocks: Block[];
} {
  const others: readonly string[] = LANGUAGES.filter((name) => name !== language);
  const left = language === "TypeScript" ? others : [...others, ...TYPESCRIPT_ONLY];
  return {
    page: FIRST_STEPS,
    blocks: blocksOf(FIRST_STEPS).filter(({ heading }) => !left.includes(heading)),
  };
}

/** The output that shows that a simulator is ready: its line of JSON, or the last line to paste. */
const READY = /^\{.*\}$|^ *export CLOUDDB_ACCESS_TOKEN=\S+$/m;

export type Terminal = ReturnType<typeof openTerminal>;

/** Placeholders in pages, and their values in these tests. */
export type Values = Readonly<Record<string, string>>;

export function openTerminal(stack: Stack, folder: string, common: Values) {
  const memory = mkdtempSync(join(testHome(), "terminal-"));
  const [variables, place] = [join(memory, "variables"), join(memory, "place")];
  writeFileSync(variables, "");
  writeFileSync(place, folder);
  const servers: ChildProcess[] = [];

  const script = ({ text }: Block, values: Values) => {
    let commands = text;
    for (const [output, value] of Object.entries(values))
      commands = commands.replaceAll(output, value);
    return `. ${variables}; cd "$(cat ${place})"; set -eo pipefail
trap 'export -p > ${variables}; pwd > ${place}' EXIT
${commands}`;
  };

  /**
   * A simulator stays in its own terminal; the lines that it prints to be pasted are pasted into
   * this one.
   */
  async function serve(commands: string): Promise<Outcome> {
    const output = join(memory, `server-${servers.length}`);
    // The first command of a terminal starts with the stack's own variables.
    await stack.command("bash", "-c", `. ${variables}; export -p > ${variables}`);
    const env = readFileSync(variables, "utf8");
    writeFileSync(output, "");
    const wrapped = `(${commands.replace(/^trap .*$/m, "")}) > ${output} 2>&1`;
    const server = spawn("bash", ["-c", wrapped], { cwd: folder, detached: true, stdio: "ignore" });
    servers.push(server);
    while (!READY.test(readFileSync(output, "utf8"))) {
      if (server.exitCode !== null)
        return { code: server.exitCode || 1, output: readFileSync(output, "utf8") };
      await setTimeout(100);
    }
    const printed = readFileSync(output, "utf8");
    writeFileSync(
      variables,
      `${env}\n${(printed.match(/^ *export \w+=.*$/gm) ?? []).join("\n")}\n`,
    );
    return { code: 0, output: printed };
  }

  return {
    /** Runs the commands of a block where the last one left off: in its folder, with its variables. */
    run(block: Block, values: Values = {}): Promise<Outcome> {
      const commands = script(block, { ...common, ...values });
      const isServer =
        block.directive === "in the background" ||
        /^npx (--no-install )?clouddb-simulator --/.test(block.text);
      return isServer ? serve(commands) : stack.command("bash", "-c", commands);
    },
    close() {
      for (const { pid, exitCode } of servers)
        if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGKILL");
    },
  };
}

const opened: { readonly close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/**
 * A block of the page's file becomes a command that writes the file; other blocks are unchanged.
 */
export function fileBlock(block: Block): Block {
  if (!block.directive?.startsWith("the file ")) return block;
  const name = block.directive.replace("the file ", "");
  return {
    ...block,
    directive: undefined,
    text: `cat > ${name} <<'END-OF-FILE'\n${block.text}END-OF-FILE\n`,
  };
}

/** A folder that looks like the clone and may be written to. */
export function clone(): string {
  const folder = mkdtempSync(join(testHome(), "clone-"));
  const written = ["examples", "Pulumi.yaml"];
  for (const name of readdirSync(root)) {
    if (written.includes(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
    else if (name !== ".git") symlinkSync(join(root, name), join(folder, name));
  }
  return folder;
}

/**
 * A reader who has nothing but a clone: no stack, no settings, and a separate backend and Pulumi
 * home.
 */
export async function newReader(
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  values: Values = {},
): Promise<(block: Block) => Promise<Outcome>> {
  const api = await simulated();
  const stack = await newStack(api);
  const registry = await publishedRegistry();
  const engine = ["PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_STACK"];
  const unset = [...Object.keys(environmentOf(api)), ...engine].map((name) => [name, undefined]);
  // Newer releases of the SDK for Python need a newer host than the engine's.
  const constraint = join(stack.folder, "constraint.txt");
  writeFileSync(constraint, `pulumi==${sdkVersion}`);
  stack.environment({
    ...Object.fromEntries(unset),
    PULUMI_SKIP_CONFIRMATIONS: "true",
    npm_config_registry: registry.url,
    npm_config_prefer_offline: "true",
    npm_config_yes: "true",
    PIP_CONSTRAINT: constraint,
    ...environment,
  });
  const terminal = openTerminal(stack, folder, {
    "pulumi login --local": `pulumi login file://${join(stack.folder, "state")}`,
    "../pulumi-clouddb": root,
    "https://github.com/pulumi-clouddb/pulumi-clouddb/tree/main": root,
    "4010": String(await freePort()),
    ...values,
  });
  opened.push(terminal);
  return (block) => terminal.run(fileBlock(block));
}
