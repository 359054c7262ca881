import { resolve } from "node:path";
import { findProjectFile, isRecord, readPulumiFile, toSingleLine } from "pulumi-clouddb-facts";
import { textsOf } from "../analyze/values";
import type { Analysis } from "../json-report";
import type { Preview } from "../preview";
import { createEventReader } from "./events";
import type { CommandFlags } from "./flags";
import { type Input, UnreadableInput } from "./input";
import { type Environment, hideIn, secretsHider, withoutColors } from "./redactor";

/** Facts about a preview from outside of its events. */
export interface CommandFacts {
  /** Explicit flags, which override names in events. */
  readonly overrides?: { readonly [name in keyof Place]?: string | undefined };
  /** The names to use if neither flags nor events contain them. */
  readonly fallback: Place;
  /** The preview's standard error. */
  readonly errors: string;
  readonly hasFailed: boolean;
  /** The flags of the command, if known. */
  readonly flags?: CommandFlags;
  /** The environment. Messages hide values of variables with secret names. */
  readonly environment?: Environment;
}

interface Place {
  readonly project: string;
  /** The stack, possibly as `organization/stack` or `organization/project/stack`. */
  readonly stack: string;
}

/** Adds stack, project and reason to previews. Creates a failed preview if there were no events. */
export function withCommand(previews: readonly Preview[], facts: CommandFacts): Preview[] {
  const { environment = {}, flags } = facts;
  refuseNames(previews, facts);
  const hide = secretsHider(environment);
  const errors = hide(reasonIn(facts.errors));
  const hasFailed = facts.hasFailed && !(flags?.expectsNoChanges && isExpectation(errors));
  const all = previews.length > 0 ? previews : [emptyPreview()];
  return all.map((preview) => {
    const isFailed = preview.outcome === "succeeded" && hasFailed && all.length === 1;
    const outcome = isFailed ? "failed" : preview.outcome;
    const diagnostics = hideIn(hide, preview.diagnostics);
    const isKnown = diagnostics.some(
      ({ severity, urn, message }) =>
        (severity === "error" && urn !== "") || errors.includes(message),
    );
    const isNew = outcome !== "succeeded" && errors !== "" && !isKnown;
    return {
      ...withNames(preview, facts),
      command: flags?.command,
      selection: (flags?.selection ?? []).map(hide),
      outcome,
      policies: hideIn(hide, preview.policies),
      diagnostics: isNew
        ? [{ severity: "error", urn: "", message: errors }, ...diagnostics]
        : diagnostics,
    };
  });
}

/** Refuses one name for several previews in an input. */
export function refuseNames({ length }: readonly unknown[], { overrides = {} }: CommandFacts) {
  if (length > 1 && (overrides.stack !== undefined || overrides.project !== undefined)) {
    throw new UnreadableInput(
      `The input contains ${length} previews, but --stack and --project name only one. Report each of them separately, or omit these flags.`,
    );
  }
}

type Names = Pick<Analysis, (typeof NAMES)[number]>;

/** Adds names from the command line or the folder. */
export function withNames<Item extends Names>(
  item: Item,
  { overrides = {}, fallback }: Pick<CommandFacts, "overrides" | "fallback">,
): Item {
  // URNs have only the last part of `organization/project/stack`.
  const stack = (overrides.stack ?? (item.stack || fallback.stack)).split("/").at(-1) ?? "";
  const whole = [overrides.stack, fallback.stack].find((name) => name?.endsWith(`/${stack}`));
  const [organization = item.organization, project = ""] = whole?.split("/").slice(0, -1) ?? [];
  return {
    ...item,
    organization,
    project: overrides.project ?? (item.project || project || fallback.project),
    stack,
  };
}

/**
 * Sets the names that the pipeline gives a file. Otherwise, the program that wrote the file could
 * name another stack and replace that stack's comment.
 */
export function withKnownNames(
  { previews, analyses }: Input,
  facts: Pick<CommandFacts, "overrides" | "fallback">,
  file: string,
): Input {
  const known = withNames({ organization: "", project: "", stack: "" }, facts);
  const items = [...previews, ...analyses];
  const isOther = (item: Names) =>
    NAMES.some((name) => item[name] && known[name] && item[name] !== known[name]);
  const other = items.find(isOther);
  if (items.length > 1 || other) {
    const content = other ? fullName(other) : `${items.length} previews`;
    throw new UnreadableInput(
      `${file} has ${toSingleLine(content, 200)} instead of the preview of ${fullName(known)}: nothing in it is used. If another project is correct, pass --project.`,
    );
  }
  const named = <Item extends Names>(item: Item) => ({ ...item, ...known });
  return { previews: previews.map(named), analyses: analyses.map(named) };
}

const NAMES = ["organization", "project", "stack"] as const;

export const fullName = (names: Names) => textsOf(...NAMES.map((name) => names[name])).join("/");

function emptyPreview(): Preview {
  const message = "The preview ended before its first event.";
  const diagnostics = [{ severity: "error", urn: "", message }] as const;
  return { ...createEventReader().preview(), diagnostics, outcome: "failed" };
}

/** Exit codes of newer CLIs, which their output may not explain. */
const EXIT_CODES: Readonly<Record<number, string>> = {
  2: "invalid flags or configuration",
  3: "not logged in, or not authorized",
  4: "a resource failed",
  5: "a policy was violated",
  6: "no such stack",
  7: "changes although none were expected",
  8: "canceled",
  9: "timed out",
  10: "an object was not ready in time",
};

/** The meaning of Pulumi's exit code; undefined for other codes. */
export function exitCodeText(code: number | null): string | undefined {
  const meaning = EXIT_CODES[code ?? 1];
  return meaning && `pulumi ended with exit code ${code}: ${meaning}.`;
}

const LONGEST_REASON = 4000;
/** Matches the engine's own log, which contains secrets in plain text. */
const LOG_LINE = /^[IWEF]\d{4} [\d:.]+ +\d+ .*\n?/gm;

/**
 * The last whole lines, since a part of a secret or of a line in the engine's log would not be
 * recognized.
 */
export function lastLines(text: string, most: number): string {
  return text.length <= most ? text : text.slice(-most).replace(/^.*\n?/, "");
}

/** The output from the first error on, or else its end. */
function reasonIn(errors: string): string {
  const text = withoutColors(errors).replace(LOG_LINE, "").trim();
  const at = text.search(/^error: /m);
  return at === -1 ? lastLines(text, LONGEST_REASON) : text.slice(at, at + LONGEST_REASON);
}

/** True if the only error comes from `--expect-no-changes`. */
function isExpectation(errors: string): boolean {
  return (
    errors.match(/^error: .*/gm)?.every((line) => line.includes("no changes were expected")) ??
    false
  );
}

/** The project of a folder; empty if it has none. */
export function projectIn(folder: string): string {
  const file = findProjectFile(resolve(folder));
  try {
    const project = file === undefined ? undefined : readPulumiFile(file);
    return isRecord(project) && typeof project.name === "string" ? project.name : "";
  } catch {
    // An unreadable project file has already failed the preview.
    return "";
  }
}
