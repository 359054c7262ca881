import { CommandError, LocalWorkspace, type Stack } from "@pulumi/pulumi/automation";
import { withoutColors } from "clouddb-report";

/** The stacks of the project in this folder, in any backend: all of them, or those with these names. */
export async function findStacks(workDir: string, names: string | undefined): Promise<string[]> {
  const all = await listStacks(workDir);
  if (all.length === 0) throw new Error("The project has no stacks: create them with `pulumi stack init`.");
  if (names === undefined) return all.sort();
  const wanted = names.split(",").map((name) => name.trim());
  for (const name of wanted) if (!all.includes(name)) throw new Error(`The project has no stack ${name}.`);
  return [...new Set(wanted)];
}

async function listStacks(workDir: string): Promise<string[]> {
  try {
    // In parallel, `pulumi stack ls` may wait forever for a connection to PostgreSQL.
    const workspace = await LocalWorkspace.create({ workDir, envVars: { PULUMI_DIY_BACKEND_PARALLEL: "1" } });
    return (await workspace.listStacks()).map(({ name }) => name);
  } catch (error) {
    throw new Error(`Listing the stacks failed: ${cliReason(error)}`);
  }
}

/** Stacks do not share a workspace: it holds the environment of a stack's commands. */
export function openStack(workDir: string, stackName: string): Promise<Stack> {
  // With it, `pulumi refresh --preview-only` fails: there would be nothing to confirm.
  const envVars = { PULUMI_SKIP_CONFIRMATIONS: "false" };
  return LocalWorkspace.selectStack({ workDir, stackName }, { envVars });
}

export async function projectName(workDir: string): Promise<string> {
  return (await (await LocalWorkspace.create({ workDir })).projectSettings()).name;
}

/** The error of `pulumi`, without the command and its result around it. */
export function cliReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CommandError)) return message;
  if (message.includes("spawn pulumi ENOENT")) return "Could not run pulumi: install it, or add it to PATH.";
  return plainText(/^\s*error: (.+)$/m.exec(message)?.[1] ?? message);
}

/** A message without colors, stack traces, and passwords in addresses: Pulumi prints that of its backend. */
export function plainText(message: string): string {
  return withoutColors(message)
    .replace(/^\s+at .*\n?/gm, "")
    .trim()
    .replace(/^error: /, "")
    .replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, "$1[secret]@");
}
