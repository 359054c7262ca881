// CPU time of an unchanged preview: 20 services, in TypeScript and JavaScript, compared with a program of 20
// empty components. A cold start, as in CI, finds nothing that an earlier one compiled.
//   node bench/start-up.mjs 5      as many rounds
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { components, nativeServices, services } from "./support/programs.mjs";
import { withProject, withSimulator } from "./support/project.mjs";
import { median, printTable, progress } from "./support/table.mjs";

const ROUNDS = Number(process.argv[2] ?? 5);
const SIZE = 20;
const COMPILER = { strict: true, target: "es2022", module: "commonjs", moduleResolution: "node" };

/** The kinds of start. Each compares all programs, and relates them to the first one. */
const SETTINGS = {
  "TypeScript, types checked, cold": { isCold: true },
  "TypeScript, cold": { isCold: true, noCheck: true },
  "TypeScript, warm": { noCheck: true },
  "JavaScript, warm": { isJavaScript: true },
};
const PROGRAMS = {
  "empty components": components(SIZE),
  "the native plugin": nativeServices(SIZE),
  "dynamic resources": services(SIZE),
};

await withSimulator([], async ({ environment }) => {
  const rows = [];
  for (const [setting, options] of Object.entries(SETTINGS)) {
    const measured = await measure(environment, setting, options);
    const [base] = Object.values(measured);
    for (const [program, cpu] of Object.entries(measured)) {
      rows.push([setting, program, `${cpu.toFixed(2)} s`, (cpu / base).toFixed(2)]);
    }
  }
  printTable(["start", "20 of", "CPU time", "relative to empty ones"], rows);
});

/** The median of each program. */
async function measure(environment, setting, { isCold, noCheck, isJavaScript }) {
  const measured = {};
  for (const [name, text] of Object.entries(PROGRAMS)) {
    await withProject(environment, async (project) => {
      if (isJavaScript) project.program(text);
      else writeTypeScript(project, text, noCheck);
      await project.up();
      const temporary = join(project.folder, "tmp");
      const times = [];
      // The cache of ts-node. The first preview is a warm-up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        if (isCold) rmSync(temporary, { recursive: true, force: true });
        mkdirSync(temporary, { recursive: true });
        const { cpu } = await project.counted({ TMPDIR: temporary }, "preview");
        progress(`${setting}, ${name}: ${cpu.toFixed(2)} s`);
        if (round > 0) times.push(cpu);
      }
      measured[name] = median(times);
    });
  }
  return measured;
}

function writeTypeScript({ folder, program }, text, noCheck) {
  program("");
  const yaml = join(folder, "Pulumi.yaml");
  const settings = readFileSync(yaml, "utf8");
  writeFileSync(
    yaml,
    settings.replace("    typescript: false", "    typescript: true").replace("index.js", "index.ts"),
  );
  writeFileSync(join(folder, "index.ts"), text.replace(/const (\w+) = require\((".+")\);/, "import * as $1 from $2;"));
  const compilerOptions = { ...COMPILER, noCheck };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
}
