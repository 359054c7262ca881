import { z } from "zod";

/** A policy's settings for one stack, and where each comes from. */
export interface Settings<Values> {
  readonly values: Values;
  /** How a message says where a bound stands: `the setting maxGb for stacks dev*`. */
  readonly origin: (key: keyof Values & string) => string;
}

/** Names of stacks in any case, with `*` for any text. */
export const stackPatterns = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "use the name of a stack such as prod, or a list of them; * stands for any text",
});

/** Names of stacks are written in any case. */
export function matchesStack(patterns: string | readonly string[], stack: string): boolean {
  const lower = [patterns].flat().map((pattern) => pattern.toLowerCase());
  return matches(lower, stack.toLowerCase());
}

export function matches(patterns: string | readonly string[], text: string): boolean {
  return [patterns].flat().some((pattern) => {
    const literal = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${literal.join(".*")}$`).test(text);
  });
}

/** Settings that may differ between stacks: the same names again, under patterns of stack names. */
export function withStacks<Shape extends z.ZodRawShape>(shape: Shape) {
  // A default there would undo what is set for all stacks.
  const bare = Object.entries(shape).map(([name, schema]) => [
    name,
    schema instanceof z.ZodDefault ? schema.unwrap() : schema,
  ]);
  const one = z.strictObject(Object.fromEntries(bare) as Shape).partial();
  return z.strictObject({ ...shape, byStack: z.record(z.string(), one).optional() });
}

/** What holds for a stack: the settings themselves, and over them each pattern that fits, the closest one last. */
export function settingsFor<Values extends { byStack?: Record<string, object> | undefined }>(
  values: Values,
  stack: string,
): Settings<Values> {
  const origins = new Map<string, string>();
  let merged = values;
  const fitting = Object.entries(values.byStack ?? {}).filter(([pattern]) => matchesStack(pattern, stack));
  // The order of a file's names does not reach a policy.
  for (const [pattern, special] of fitting.sort(([one], [other]) => closeness(one) - closeness(other))) {
    merged = { ...merged, ...special };
    for (const key of Object.keys(special)) origins.set(key, ` for stacks ${pattern}`);
  }
  return { values: merged, origin: (key) => `the setting ${key}${origins.get(key) ?? ""}` };
}

/** A whole name is closest, then the pattern that names the most of it. */
function closeness(pattern: string): number {
  return pattern.includes("*") ? pattern.replaceAll("*", "").length : Number.POSITIVE_INFINITY;
}

/** What is wrong with settings, a mistake each with its place; none where they are sound. */
export function mistakesIn(policy: string, schema: z.ZodType, given: unknown): string[] {
  const { error } = schema.safeParse(given);
  return (error?.issues ?? []).flatMap((issue) => {
    const place = [policy, ...issue.path].join(".");
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `${place} has no setting ${key}`)
      : [`${place}: ${issue.message}`];
  });
}
