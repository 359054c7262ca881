import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Preview } from "../preview";
import { UnreadableInput } from "./input";
import { type Environment, secretsHider, withoutColors } from "./redactor";

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
  const hide = secretsHider(environment);
  const hidden = <Item extends { readonly message: string }>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, message: hide(item.message) }));
  const errors = reasonIn(hide(facts.errors));
  const all = previews.length > 0 ? previews : [emptyPreview];
  return all.map((preview) => {
    const isFailed = preview.outcome === "succeeded" && facts.hasFailed && all.length === 1;
    const outcome = isFailed ? "failed" : preview.outcome;
    const diagnostics = hidden(preview.diagnostics);
    const isKnown = diagnostics.some(
      ({ severity, urn, message }) => (severity === "error" && urn !== "") || errors.includes(message),
    );
    const isNew = outcome !== "succeeded" && errors !== "" && !isKnown;
    return {
      ...preview,
      project: overrides.project ?? (preview.project || fallback.project),
      // URNs have only the last part of `organization/project/stack`.
      stack: (overrides.stack ?? (preview.stack || fallback.stack)).split("/").at(-1) ?? "",
      outcome,
      policies: hidden(preview.policies),
      diagnostics: isNew ? [{ severity: "error", urn: "", message: errors }, ...diagnostics] : diagnostics,
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
const LOG_LINE = /^[IWEF]\d{4} [\d:.]+ +\d+ .*\n?/gm;

/** Everything from the first error on; without one, the end of the output. */
function reasonIn(errors: string): string {
  const text = withoutColors(errors).replace(LOG_LINE, "").trim();
  const at = text.search(/^error: /m);
  return at === -1 ? text.slice(-LONGEST_REASON) : text.slice(at, at + LONGEST_REASON);
}

/** The stack and the project's folder that a command such as `pulumi preview --stack dev` names. */
export function placeIn(command: readonly string[]): { readonly stack: string | undefined; readonly folder: string } {
  return { stack: flagValue(command, "--stack", "-s"), folder: flagValue(command, "--cwd", "-C") ?? "." };
}

function flagValue(command: readonly string[], long: string, short: string): string | undefined {
  for (const [index, word] of command.entries()) {
    if (word === long || word === short) return command[index + 1];
    if (word.startsWith(`${long}=`)) return word.slice(long.length + 1);
  }
  return undefined;
}

/** The name of the project in a folder; empty without one. */
export function projectIn(folder: string): string {
  const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
  const [, name = ""] = /^name:\s*["']?([\w.-]+)/m.exec(file ? readFileSync(file, "utf8") : "") ?? [];
  return name;
}
