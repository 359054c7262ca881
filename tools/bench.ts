// Runs the benchmarks, prints their tables, and writes each to its section of docs/performance.md.
//   npm run bench                     all of them
//   npm run bench -- requests         one
//   npm run bench -- stacks 10 100    one, with its own arguments
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { ensureAll } from "./setup/engine";
import { run } from "./support/process";
import { SetupError } from "./support/progress";
import { root, textOf } from "./support/repository";

const NAMES = ["requests", "stacks", "growth"];
const PAGE = "docs/performance.md";

export async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const chosen = words.filter((each) => NAMES.includes(each));
  const args = words.filter((each) => !NAMES.includes(each));
  if (chosen.length === 0 && args.length > 0)
    throw new SetupError(`Name a benchmark: ${NAMES.join(", ")}.`);
  await ensureAll();
  for (const name of chosen.length > 0 ? chosen : NAMES) {
    process.stderr.write(`… bench/${name}.mjs\n`);
    write(name, await outputOf(name, args));
  }
}

/** Runs a benchmark and returns its tables. Progress goes to standard error. */
async function outputOf(name: string, args: readonly string[]): Promise<string> {
  const command = [`bench/${name}.mjs`, ...args];
  const { code, stdout } = await run(process.execPath, command, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (code !== 0)
    throw new SetupError(
      `bench/${name}.mjs failed with exit code ${code}; its section was not changed.`,
    );
  console.log(stdout);
  return stdout.trim();
}

function write(name: string, tables: string): void {
  const page = textOf(PAGE);
  const [start, end] = [`<!-- bench: ${name} -->`, `<!-- end: ${name} -->`] as const;
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from)
    throw new SetupError(`${PAGE} has no section for ${name}: ${start} … ${end}`);
  const processors = cpus();
  const when = new Date().toISOString().slice(0, 10);
  const where = `<sub>${when}, ${processors.length} cores (${processors[0]?.model.trim()}), Node ${process.versions.node}</sub>`;
  writeFileSync(
    join(root, PAGE),
    `${page.slice(0, from + start.length)}\n${tables}\n\n${where}\n${page.slice(to)}`,
  );
}
