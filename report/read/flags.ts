import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Analysis } from "../json-report";

const SELECTION = {
  target: { type: "string", short: "t", multiple: true },
  exclude: { type: "string", short: "x", multiple: true },
  replace: { type: "string", multiple: true },
  "target-replace": { type: "string", multiple: true },
  "target-dependents": { type: "boolean" },
  "exclude-dependents": { type: "boolean" },
} as const;

/** Pulumi's commands that print a preview, with the command that applies it. */
const OPERATIONS: Readonly<Record<string, Analysis["command"]>> = {
  preview: "up",
  pre: "up",
  up: "up",
  update: "up",
  destroy: "destroy",
  down: "destroy",
  dn: "destroy",
  refresh: "refresh",
};

/** The parts of a command that the report needs. */
export interface CommandFlags {
  /** The command that applies the preview; "not known" inside a shell string or script. */
  readonly command: Analysis["command"];
  readonly stack?: string | undefined;
  /** The program's folder. */
  readonly folder: string;
  /** The flags that select resources, as separate words. */
  readonly selection: readonly string[];
  readonly expectsNoChanges: boolean;
  /** The command, changed to print events. */
  readonly withEvents: readonly string[];
}

/**
 * Parses a command such as `env -C app pulumi preview --stack dev`. Words before the last `pulumi`
 * belong to a wrapper.
 */
export function flagsOf(words: readonly string[]): CommandFlags {
  const at = pulumiAt(words);
  const parsed = pulumiFlags(words.slice(at + 1));
  if (at === -1 || parsed.command === undefined) {
    const { selection } = pulumiFlags(shellWords(words));
    return {
      command: "not known",
      folder: ".",
      selection,
      expectsNoChanges: false,
      withEvents: words,
    };
  }
  const { verbAt, hasPreviewEvents, ...flags } = parsed;
  const next = at + 1 + verbAt + 1;
  return {
    ...flags,
    folder: resolve(wrapperFolder(words.slice(0, at)), flags.folder),
    withEvents: hasPreviewEvents
      ? words
      : [...words.slice(0, next), "--json", ...words.slice(next)],
  };
}

/** The index of the last `pulumi` that is not a flag's value, such as a folder. */
function pulumiAt(words: readonly string[]): number {
  const places = words.flatMap((word, at) =>
    /(?:^|[\\/])pulumi(?:\.\w+)?$/.test(word) ? [at] : [],
  );
  const isValue = (at: number) => /^--?[^=-][^=]*$/.test(words[at - 1] ?? "");
  return places.filter((at, index) => index === 0 || !isValue(at)).at(-1) ?? -1;
}

/** The words after the last `pulumi` in a command's shell strings. */
function shellWords(words: readonly string[]): string[] {
  const inner = words.filter((word) => /\s/.test(word)).flatMap((text) => text.split(/\s+/));
  return inner.slice(pulumiAt(inner) + 1).map((word) => word.replace(/^["']|["']$/g, ""));
}

function wrapperFolder(words: readonly string[]): string {
  const { values } = parseArgs({
    args: [...words],
    options: { cwd: { type: "string" }, chdir: { type: "string", short: "C" } },
    strict: false,
  });
  return [values.chdir, values.cwd].find((folder) => typeof folder === "string") ?? ".";
}

function pulumiFlags(words: readonly string[]) {
  // Not strict, because Pulumi has further flags.
  const { values, tokens } = parseArgs({
    args: [...words],
    options: {
      stack: { type: "string", short: "s" },
      cwd: { type: "string", short: "C" },
      ...SELECTION,
    },
    strict: false,
    tokens: true,
  });
  const { stack, cwd } = values as Readonly<Record<string, unknown>>;
  const verb = tokens.find(
    (token) => token.kind === "positional" && Object.hasOwn(OPERATIONS, token.value),
  );
  const verbAt = verb?.index ?? -1;
  const word = words[verbAt] ?? "";
  const isPreview =
    word.startsWith("pre") || (OPERATIONS[word] !== "up" && "preview-only" in values);
  return {
    command: OPERATIONS[word],
    verbAt,
    stack: typeof stack === "string" ? stack : undefined,
    folder: typeof cwd === "string" ? cwd : ".",
    selection: tokens.flatMap((token) => {
      if (token.kind !== "option" || !Object.hasOwn(SELECTION, token.name)) return [];
      if (token.inlineValue) return [`--${token.name}=${token.value}`];
      return [`--${token.name}`, ...(token.value === undefined ? [] : [token.value])];
    }),
    expectsNoChanges: values["expect-no-changes"] === true,
    hasPreviewEvents: !isPreview || "json" in values || "j" in values,
  };
}
