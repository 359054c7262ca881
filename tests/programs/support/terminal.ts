import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Outcome, type Stack, testHome } from "../../engine/support/stack";
import type { Block } from "./markdown";

/** The output that shows that a simulator is ready: its line of JSON, or the last line to paste. */
const READY = /^\{.*\}$|^ *export CLOUDDB_ACCESS_TOKEN=\S+$/m;

export interface Terminal {
  /** Runs the commands of a block where the last one left off: in its folder, with its variables. */
  readonly run: (block: Block, values?: Values) => Promise<Outcome>;
  readonly close: () => void;
}

/** Placeholders in pages, and their values in these tests. */
export type Values = Readonly<Record<string, string>>;

export function openTerminal(stack: Stack, folder: string, common: Values): Terminal {
  const memory = mkdtempSync(join(testHome(), "terminal-"));
  const [variables, place] = [join(memory, "variables"), join(memory, "place")];
  writeFileSync(variables, "");
  writeFileSync(place, folder);
  const servers: ChildProcess[] = [];

  const script = ({ text }: Block, values: Values) => {
    let commands = text;
    for (const [output, value] of Object.entries(values)) commands = commands.replaceAll(output, value);
    return `. ${variables}; cd "$(cat ${place})"; set -eo pipefail
trap 'export -p > ${variables}; pwd > ${place}' EXIT
${commands}`;
  };

  /** A simulator stays in its own terminal; the lines that it prints to be pasted are pasted into this one. */
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
      if (server.exitCode !== null) return { code: server.exitCode || 1, output: readFileSync(output, "utf8") };
      await setTimeout(100);
    }
    const printed = readFileSync(output, "utf8");
    writeFileSync(variables, `${env}\n${(printed.match(/^ *export \w+=.*$/gm) ?? []).join("\n")}\n`);
    return { code: 0, output: printed };
  }

  return {
    run(block, values = {}) {
      const commands = script(block, { ...common, ...values });
      const isServer =
        block.directive === "in the background" || /^npx (--no-install )?clouddb-simulator --/.test(block.text);
      return isServer ? serve(commands) : stack.command("bash", "-c", commands);
    },
    close() {
      for (const { pid, exitCode } of servers)
        if (pid !== undefined && exitCode === null) process.kill(-pid, "SIGKILL");
    },
  };
}
