import type { PolicyConfigSchema } from "@pulumi/policy";
import { didYouMean } from "pulumi-clouddb/definitions";
import { z } from "zod";

/** A setting that limits a number. */
export interface Bound {
  readonly limit: number | undefined;
  readonly origin: string;
}

/** A policy's settings for one stack, with their origins. */
export interface Settings<Values> {
  readonly values: Values;
  /** The origin of a setting in messages, such as `the setting maxGb for stacks dev*`. */
  readonly origin: (key: keyof Values & string) => string;
  readonly bound: (key: keyof Values & string) => Bound;
}

type ByStack = { readonly byStack?: Readonly<Record<string, object>> | undefined };

/** Stack names in any case. `*` matches any characters. */
export const stackPatterns = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "use a stack name such as prod, or a list of names; * matches any characters",
});

/** Adds `byStack`, with settings for stacks that match a pattern. */
export function withStacks<Shape extends z.ZodRawShape>(shape: Shape) {
  // A default here would override the setting for all stacks.
  const withoutDefaults = Object.entries(shape).map(([name, schema]) => [
    name,
    schema instanceof z.ZodDefault ? schema.unwrap() : schema,
  ]);
  const override = z
    .strictObject(Object.fromEntries(withoutDefaults) as Shape, "use an object of settings")
    .partial();
  const byStack = z.record(
    z.string(),
    override,
    "use an object keyed by the names of stacks; * matches any characters",
  );
  return z.strictObject({ ...shape, byStack: byStack.optional() });
}

/** The settings for all stacks, and for each pattern of stacks. */
export function variantsOf<Values extends ByStack>(values: Values): readonly Values[] {
  return [
    values,
    ...Object.values(values.byStack ?? {}).map((override) => ({ ...values, ...override })),
  ];
}

/**
 * The settings for a stack: those for all stacks, overridden by matching patterns, the most
 * specific last.
 */
export function settingsFor<Values extends object>(
  values: Values & ByStack,
  stack: string,
): Settings<Values> {
  const overrides = Object.entries(values.byStack ?? {})
    .filter(([pattern]) => matchesStack(pattern, stack))
    .sort(([one], [other]) => specificity(one) - specificity(other));
  const origins = new Map(
    overrides.flatMap(([pattern, override]) =>
      Object.keys(override).map((key) => [key, ` for stacks ${pattern}`]),
    ),
  );
  const merged = Object.assign({}, values, ...overrides.map(([, override]) => override)) as Values;
  const origin = (key: string) => `the setting ${key}${origins.get(key) ?? ""}`;
  const bound = (key: keyof Values & string) => ({
    limit: merged[key] as number | undefined,
    origin: origin(key),
  });
  return { values: merged, origin, bound };
}

/** The schema that the engine checks a configuration file with, before any policy runs. */
export function configSchemaOf(schema: z.ZodObject): PolicyConfigSchema {
  const { properties = {} } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    reused: "inline",
  });
  return { properties: properties as PolicyConfigSchema["properties"] };
}

/** The parts of a JSON schema for the settings at a path. */
interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node;
  readonly items?: Node;
}

/** Errors in settings, with their paths. */
export function settingsErrors(policy: string, schema: z.ZodObject, config: unknown): string[] {
  const { error } = schema.safeParse(config);
  return (error?.issues ?? []).flatMap((issue) => {
    const path = [policy, ...issue.path].join(".");
    if (issue.code !== "unrecognized_keys") return [`${path}: ${issue.message}`];
    const node = issue.path.reduce<Node | undefined>(
      (outer, name) =>
        outer?.properties?.[String(name)] ?? outer?.additionalProperties ?? outer?.items,
      configSchemaOf(schema) as Node,
    );
    const names = Object.keys(node?.properties ?? {});
    const fix =
      names.length > 0
        ? `use one of ${names.join(", ")}`
        : "remove it, because the policy has no settings";
    return issue.keys.map((key) => {
      const question = didYouMean(key, names);
      return `${path} has no setting ${key}; ${question ? `${question} Otherwise, ${fix}` : fix}`;
    });
  });
}

/** Stack names match in any case. */
export function matchesStack(patterns: string | readonly string[], stack: string): boolean {
  const lower = [patterns].flat().map((pattern) => pattern.toLowerCase());
  return matches(lower, stack.toLowerCase());
}

export function matches(patterns: string | readonly string[], text: string): boolean {
  return [patterns].flat().some((pattern) => matchesOne(pattern, text));
}

/** Matches without a regular expression, which could be too large or too slow. */
function matchesOne(pattern: string, text: string): boolean {
  const [start = "", ...parts] = pattern.split("*");
  const end = parts.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}

/** A name without `*` is the most specific, then the pattern with the most literal characters. */
function specificity(pattern: string): number {
  return pattern.includes("*") ? pattern.replaceAll("*", "").length : Number.POSITIVE_INFINITY;
}
