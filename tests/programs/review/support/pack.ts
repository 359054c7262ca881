import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pulumi } from "../../../../versions.json";
import { type Stack, testHome } from "../../../engine/support/stack";

const folder = join(testHome(), "node_modules/pulumi-clouddb-policies");
/** Options for the packed policy pack: the executable, unless the CLI is older than 3.255. */
export const PACK = [
  "--policy-pack",
  process.env.CLOUDDB_TEST_ENGINE === pulumi.oldest ? folder : join(folder, "clouddb-policies"),
];

export function writeJson({ folder }: Stack, name: string, content: object): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** Options for the policy pack with settings from a file. */
export function configured(stack: Stack, settings: object): string[] {
  return [...PACK, "--policy-pack-config", writeJson(stack, "policies.json", settings)];
}

/** Options for a custom pack in a folder, next to the installed packages. */
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
  return ["--policy-pack", folder];
}
