import { cpSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import { newStack, type Outcome, simulated, testHome } from "../../engine/support/stack";
import { freePort } from "../../support/free-port";
import { startRegistry } from "../../support/registry";
import { root } from "../../support/root";
import type { Block } from "./markdown";
import { openTerminal, type Terminal, type Values } from "./terminal";

/*
 * The shell blocks of the documentation, run in the order of each page as a reader would, on the real engine with the
 * simulator. A block that cannot be run has a comment with the reason before it, and is listed as a skipped test.
 */

const opened: Pick<Terminal, "close">[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** A block of the page's file becomes a command that writes the file; other blocks are unchanged. */
export function fileBlock(block: Block): Block {
  if (!block.directive?.startsWith("the file ")) return block;
  const name = block.directive.replace("the file ", "");
  return { ...block, directive: undefined, text: `cat > ${name} <<'END-OF-FILE'\n${block.text}END-OF-FILE\n` };
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

/** A reader who has nothing but a clone: no stack, no settings, and a separate backend and Pulumi home. */
export async function newReader(
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  values: Values = {},
): Promise<(block: Block) => Promise<Outcome>> {
  const stack = await newStack(await simulated());
  const registry = await startRegistry();
  const names = ["BASE_URL", "KEY_ID", "KEY_SECRET", "ORGANIZATION_ID", "OBSERVABILITY_URL", "ACCESS_TOKEN"];
  const settings = names.map((name) => [`CLOUDDB_${name}`, undefined]);
  const engine = ["PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_STACK"].map((name) => [name, undefined]);
  // Newer releases of the SDK for Python need a newer host than the engine's.
  const constraint = join(stack.folder, "constraint.txt");
  writeFileSync(constraint, `pulumi==${sdkVersion}`);
  stack.environment({
    ...Object.fromEntries([...settings, ...engine]),
    PULUMI_SKIP_CONFIRMATIONS: "true",
    npm_config_registry: registry.url,
    npm_config_prefer_offline: "true",
    npm_config_yes: "true",
    PIP_CONSTRAINT: constraint,
    ...environment,
  });
  const terminal = openTerminal(stack, folder, {
    "pulumi login --local": `pulumi login file://${join(stack.folder, "state")}`,
    "../clouddb-packages": join(stack.folder, "clouddb-packages"),
    "../my-databases": join(stack.folder, "my-databases"),
    "../my-service": join(stack.folder, "my-service"),
    "../pulumi-clouddb": root,
    "4010": String(await freePort()),
    ...values,
  });
  opened.push(terminal, registry);
  return (block) => terminal.run(fileBlock(block));
}
