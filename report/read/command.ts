import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Preview } from "../preview";
import { type Environment, secretsHider } from "./environment";
import { UnreadableInput } from "./input";

/** Facts about the preview besides its events. */
export interface CommandFacts {
  /** Explicit flags; they override the names in the events. */
  readonly overrides?: { readonly [name in keyof Place]?: string | undefined };
  /** If neither flags nor events have the names. */
  readonly fallback: Place;
  /** The preview's standard error. */
  readonly errors: string;
  readonly hasFailed: boolean;
  /** Values of variables with secret names are hidden in messages. */
  readonly environment?: Environment;
}

interface Place {
  readonly project: string;
  readonly stack: string;
}

/** Adds stack, project and reason to previews, also to one that failed before its first event. */
export function withCommand(previews: readonly Preview[], facts: CommandFacts): Preview[] {
  const { overrides = {}, fallback, environment = {} } = facts;
  if (previews.length > 1 && (overrides.stack !== undefined || overrides.project !== undefined)) {
    throw new UnreadableInput(
      `The input contains ${previews.length} previews, but --stack and --project name only one. Report each of them separately, or omit these flags.`,
    );
  }
  const hideSecrets = secretsHider(environment);
  const errors = reasonIn(hideSecrets(facts.errors));
  const all = previews.length > 0 ? previews : [emptyPreview];
  return all.map((preview) => {
    const isFailed = preview.outcome === "succeeded" && facts.hasFailed && all.length === 1;
    const outcome = isFailed ? "failed" : preview.outcome;
    const message = outcome === "succeeded" ? "" : errors;
    const diagnostics = preview.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      message: hideSecrets(diagnostic.message),
    }));
    const policies = preview.policies.map((result) => ({ ...result, message: hideSecrets(result.message) }));
    const hasReason = diagnostics.some((diagnostic) => diagnostic.severity === "error" && diagnostic.urn !== "");
    const isNew =
      message !== "" && !hasReason && !diagnostics.some((diagnostic) => message.includes(diagnostic.message));
    return {
      ...preview,
      project: overrides.project ?? (preview.project || fallback.project),
      stack: stackIn(overrides.stack ?? (preview.stack || fallback.stack)),
      outcome,
      policies,
      diagnostics: isNew ? [{ severity: "error", urn: "", message }, ...diagnostics] : diagnostics,
    };
  });
}

const emptyPreview: Preview = {
  project: "",
  stack: "",
  stackOperation: "same",
  changes: [],
  drift: [],
  policies: [],
  packs: [],
  outputs: undefined,
  summary: undefined,
  notCovered: ["policies", "drift"],
  diagnostics: [{ severity: "error", urn: "", message: "The preview ended before its first event." }],
  outcome: "failed",
};

const LONGEST_REASON = 4000;
/** The engine's own log holds secrets in plain text. */
const LOG_LINE = /^[IWEF]\d{4} [\d:.]+ +\d+ /;

/** Everything from the first error on; without one, the end of the output. */
function reasonIn(errors: string): string {
  const lines = withoutColours(errors)
    .split("\n")
    .filter((line) => !LOG_LINE.test(line));
  const text = lines.join("\n").trim();
  const at = text.search(/^error: /m);
  return at === -1 ? text.slice(-LONGEST_REASON) : text.slice(at, at + LONGEST_REASON);
}

/** Output of a terminal as text. */
function withoutColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are terminal colours
  return text.replace(/\u001b\[[0-9;]*m/g, "");
}

/** URNs have only the last part of `organization/project/stack`. */
function stackIn(name: string): string {
  return name.split("/").at(-1) ?? "";
}

/** The stack named by flags of `pulumi preview`. */
export function stackInFlags(flags: readonly string[]): string | undefined {
  return flagValue(flags, "--stack", "-s");
}

/** The project of the folder named by flags, or of the current one. */
export function projectInFlags(flags: readonly string[]): string {
  const folder = flagValue(flags, "--cwd", "-C") ?? ".";
  const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
  const [, name = ""] = /^name:\s*["']?([\w.-]+)/m.exec(file ? readFileSync(file, "utf8") : "") ?? [];
  return name;
}

function flagValue(flags: readonly string[], long: string, short: string): string | undefined {
  for (const [index, flag] of flags.entries()) {
    if (flag === long || flag === short) return flags[index + 1];
    if (flag.startsWith(`${long}=`)) return flag.slice(long.length + 1);
  }
  return undefined;
}
