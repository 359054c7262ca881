import { z } from "zod";
import { matchesStack, matchingEntries } from "./patterns";

/** A policy's settings for one stack, and where each of them comes from. */
export interface Settings<Values> {
  readonly values: Values;
  /** The source of a bound, for messages: `the setting maxGb for stacks dev*`. */
  readonly origin: (key: keyof Values & string) => string;
}

/** Adds `byStack`: the same settings again, for stacks whose name matches a pattern. */
export function withStacks<Shape extends z.ZodRawShape>(shape: Shape) {
  // A default there would override the setting for all stacks.
  const withoutDefaults = Object.entries(shape).map(([name, schema]) => [
    name,
    schema instanceof z.ZodDefault ? schema.unwrap() : schema,
  ]);
  const override = z.strictObject(Object.fromEntries(withoutDefaults) as Shape, "use an object of settings").partial();
  const byStack = z.record(
    z.string(),
    override,
    "use an object keyed by the names of stacks; * matches any characters",
  );
  return z.strictObject({ ...shape, byStack: byStack.optional() });
}

/** The settings for a stack: those for all stacks, overridden by each pattern that matches, the most specific last. */
export function settingsFor<Values extends { byStack?: Record<string, object> | undefined }>(
  values: Values,
  stack: string,
): Settings<Values> {
  const origins = new Map<string, string>();
  let merged = values;
  const isMatch = (pattern: string) => matchesStack(pattern, stack);
  for (const [pattern, override] of matchingEntries(Object.entries(values.byStack ?? {}), isMatch)) {
    merged = { ...merged, ...override };
    for (const key of Object.keys(override)) origins.set(key, ` for stacks ${pattern}`);
  }
  return { values: merged, origin: (key) => `the setting ${key}${origins.get(key) ?? ""}` };
}

/** The errors in settings, each with its path. */
export function settingsErrors(policy: string, schema: z.ZodType, config: unknown): string[] {
  const { error } = schema.safeParse(config);
  return (error?.issues ?? []).flatMap((issue) => {
    const path = [policy, ...issue.path].join(".");
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `${path} has no setting ${key}`)
      : [`${path}: ${issue.message}`];
  });
}
