import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pulumi } from "../../../../versions.json";
import { type Stack, testHome } from "../../../engine/support/stack";

const folder = join(testHome(), "node_modules/pulumi-clouddb-policies");
/** CLIs since 3.255 accept an executable as a pack. The tests with the newest CLI use ours. */
const takesProgram = process.env.CLOUDDB_TEST_ENGINE === pulumi.newestCli;

/** Options for the packed policy pack. */
export const PACK = takesProgram
  ? ["--policy-pack", join(folder, "clouddb-policies")]
  : optionsFor(folder);

/**
 * Options for the pack in a folder. The language host of an engine that was built from Go modules cannot run one, which
 * CLIs since 3.221 ask of it.
 */
function optionsFor(folder: string): string[] {
  if (!takesProgram) return ["--policy-pack", folder];
  const program = join(mkdtempSync(join(testHome(), "pack-")), "run");
  const run = join(testHome(), "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
  writeFileSync(program, `#!/bin/sh\ncd ${folder}\nexec node ${run} "$1" .\n`, { mode: 0o755 });
  return ["--policy-pack", program];
}

export function writeJson({ folder }: Stack, name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** Options for the policy pack with settings from a file. */
export function configured(stack: Stack, settings: object): string[] {
  return [...PACK, "--policy-pack-config", writeJson(stack, "policies.json", settings)];
}

/** Options for a custom pack, next to the installed packages. */
export function customPack(text: string): string[] {
  const folder = mkdtempSync(join(testHome(), "pack-"));
  writeFileSync(
    join(folder, "PulumiPolicy.yaml"),
    "runtime:\n  name: nodejs\n  options:\n    typescript: false\n",
  );
  writeFileSync(
    join(folder, "package.json"),
    '{"name":"ours","version":"1.0.0","main":"index.js"}',
  );
  writeFileSync(join(folder, "index.js"), text);
  return optionsFor(folder);
}
