import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Analysis } from "../json-report";

const PLACE = {
  stack: { type: "string", short: "s" },
  cwd: { type: "string", short: "C" },
} as const;
const SELECTION = {
  target: { type: "string", short: "t", multiple: true },
  exclude: { type: "string", short: "x", multiple: true },
  replace: { type: "string", multiple: true },
  "target-replace": { type: "string", multiple: true },
  "target-dependents": { type: "boolean" },
  "exclude-dependents": { type: "boolean" },
} as const;

/** The commands of Pulumi that print a preview, and the command that applies it. */
const OPERATIONS: Readonly<Record<string, Analysis["command"]>> = {
  ...{ preview: "up", pre: "up", up: "up", update: "up" },
  ...{ destroy: "destroy", down: "destroy", dn: "destroy", refresh: "refresh" },
};

/** The words of a command that a report depends on. */
export interface CommandFlags {
  /**
   * The command that applies the preview; not known if a shell string or a script hides that of
   * Pulumi.
   */
  readonly command: Analysis["command"];
  readonly stack?: string | undefined;
  /** The folder of the program. */
  readonly folder: string;
  /** The flags that select resources, as words of a command. */
  readonly selection: readonly string[];
  readonly expectsNoChanges: boolean;
  /** The words that make the command print events. */
  readonly withEvents: readonly string[];
}

/**
 * Reads a command such as `env -C app pulumi preview --stack dev`: words before the last `pulumi`
 * are a wrapper's.
 */
export function flagsOf(words: readonly string[]): CommandFlags {
  const at = pulumiAt(words);
  const parsed = pulumiFlags(words.slice(at + 1));
  if (at === -1 || parsed.command === undefined) {
    const { selection } = pulumiFlags(shellWords(words));
    return {
      ...{ command: "not known", folder: ".", selection, expectsNoChanges: false },
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

/** The place of the last `pulumi`, unless it is the value of a flag, such as that of a folder. */
function pulumiAt(words: readonly string[]): number {
  const places = words.flatMap((word, at) =>
    /(?:^|[\\/])pulumi(?:\.\w+)?$/.test(word) ? [at] : [],
  );
  const isValue = (at: number) => /^--?[^=-][^=]*$/.test(words[at - 1] ?? "");
  return places.filter((at, index) => index === 0 || !isValue(at)).at(-1) ?? -1;
}

/** The words behind the last `pulumi` in the shell strings of a command. */
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
  // Other flags of Pulumi are not known here.
  const { values, tokens } = parseArgs({
    args: [...words],
    options: { ...PLACE, ...SELECTION },
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
