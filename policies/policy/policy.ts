import type {
  EnforcementLevel,
  PolicyConfigSchema,
  ReportViolation,
  ResourceValidationArgs,
  StackValidationArgs,
} from "@pulumi/policy";
import { z } from "zod";
import { type Findings, judged, named, notYetKnown } from "./findings";
import { plainError } from "./plain-error";
import { mistakesIn, type Settings, settingsFor } from "./settings";
import {
  declaredSubject,
  finishedSubject,
  isLeftOut,
  type Kind,
  type StackSubject,
  type Subject,
  stackOf,
} from "./subject";
import { undeclaredParts } from "./undeclared";

/** A program in small, that keeps to a policy or does not. Documentation and tests are made from it. */
export interface Example {
  readonly stack?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly resources: readonly {
    readonly kind: Kind;
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly options?: { readonly protect?: boolean };
  }[];
}

/** What a policy is made from. */
export interface PolicyDefinition<Schema extends z.ZodType> {
  readonly name: string;
  readonly level: EnforcementLevel;
  /** What it demands, in one sentence. */
  readonly description: string;
  /** Why, for documentation. */
  readonly reason: string;
  readonly settings: Schema;
  /** What settings must have beyond their schema, where the policy is not disabled. */
  readonly needs?: (values: z.output<Schema>) => string | undefined;
  readonly good: Example;
  readonly bad: Example;
  /** The resources that `judge` is about. */
  readonly kinds: readonly Kind[];
  /** Judges one resource, before anything is done to it. */
  readonly judge?: (subject: Subject, settings: Settings<z.output<Schema>>, findings: Findings) => void;
  /** Judges, at the end, what one resource does not declare, as far as its outputs show it. */
  readonly judgeUndeclared?: (subject: Subject, settings: Settings<z.output<Schema>>, findings: Findings) => void;
  /** Judges all resources together, at the end. */
  readonly judgeStack?: (
    subjects: readonly StackSubject[],
    settings: Settings<z.output<Schema>>,
    findings: Findings,
  ) => void;
}

/** A policy as a pack takes it, with what documentation and the check of settings need. */
export interface CloudDbPolicy<Name extends string = string, Schema extends z.ZodObject = z.ZodObject> {
  readonly name: Name;
  readonly description: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly configSchema: PolicyConfigSchema;
  readonly validateResource: (args: ResourceValidationArgs, report: ReportViolation) => void;
  readonly validateStack?: (args: StackValidationArgs, report: ReportViolation) => void;
  readonly definition: PolicyDefinition<z.ZodType>;
  readonly settings: Schema;
  /** What is wrong with settings for it, a mistake each. */
  readonly mistakesIn: (given: Readonly<Record<string, unknown>>) => string[];
}

export function createPolicy<const Name extends string, Schema extends z.ZodObject>(
  definition: PolicyDefinition<Schema> & { readonly name: Name },
): CloudDbPolicy<Name, Schema> {
  const { name, description, level, settings: schema, needs, kinds, judge, judgeUndeclared, judgeStack } = definition;

  function mistakes({ enforcementLevel = level, ...given }: Readonly<Record<string, unknown>>): string[] {
    const found = mistakesIn(name, schema, given);
    if (found.length > 0 || enforcementLevel === "disabled") return found;
    const need = needs?.(schema.parse(given));
    return need === undefined ? [] : [`${name}: ${need}`];
  }
  function settingsOf(args: { getConfig: <T extends object>() => T }, stack: string) {
    // The pack has refused mistakes before; in a pack of somebody's own nobody has.
    const given = args.getConfig<Record<string, unknown>>();
    const found = mistakes({ ...given, enforcementLevel: "mandatory" });
    if (found.length > 0) throw plainError(`The policy's settings cannot be used: ${found.join("; ")}.`);
    const settings = settingsFor(schema.parse(given) as z.output<Schema> & { byStack?: Record<string, object> }, stack);
    // Two patterns may contradict each other only where both fit.
    const need = needs?.(settings.values);
    if (need !== undefined) throw plainError(`The policy's settings for this stack cannot be used: ${name}: ${need}.`);
    return settings;
  }

  return {
    name,
    description,
    enforcementLevel: level,
    configSchema: configSchemaOf(schema),
    settings: schema,
    definition: definition as unknown as PolicyDefinition<z.ZodType>,
    mistakesIn: mistakes,
    // Policies over the whole stack have it, too: there they learn what is declared.
    validateResource(args, report) {
      const subject = declaredSubject(args);
      if (subject === undefined) return;
      if (isLeftOut(args)) return reportLeftOut(subject);
      if (judge === undefined || !kinds.includes(subject.kind)) return;
      const settings = settingsOf(args, stackOf(args.urn));
      judged(report, (findings) => judge(subject, settings, findings));
    },
    ...((judgeStack || judgeUndeclared) && {
      validateStack(args, report) {
        const subjects = stackSubjects(args);
        const [first] = subjects;
        if (first === undefined) return;
        const settings = settingsOf(args, stackOf(first.urn));
        judged(report, (findings) => {
          judgeStack?.(subjects, settings, findings);
          for (const subject of judgeUndeclared ? undeclaredParts(subjects) : []) {
            if (kinds.includes(subject.kind)) judgeUndeclared?.(subject, settings, findings);
          }
        });
      },
    }),
  };
}

/** All policies see it; the first one says so. */
const leftOut = new Set<string>();

function reportLeftOut(subject: Subject): void {
  if (leftOut.has(subject.urn)) return;
  leftOut.add(subject.urn);
  throw notYetKnown(
    `${named(subject)}: no policy checked it, since its arguments are not known: this run leaves it out (--target, --exclude), or its provider is not configured yet.`,
  );
}

function stackSubjects({ resources }: StackValidationArgs): StackSubject[] {
  // The engine's order is that of chance; the same program gets the same words.
  const inOrder = resources
    .filter((resource) => !isLeftOut(resource))
    .sort((one, other) => (one.urn < other.urn ? -1 : 1));
  return inOrder.flatMap((resource) => {
    const subject = finishedSubject(resource);
    if (subject === undefined) return [];
    const sourcesOf = (argument: string) =>
      (resource.propertyDependencies[argument] ?? []).flatMap((source) => finishedSubject(source) ?? []);
    return [{ ...subject, sourcesOf }];
  });
}

/** The engine checks types and bounds of a configuration file by this, before anything runs. */
function configSchemaOf(schema: z.ZodObject): PolicyConfigSchema {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" });
  return { properties: properties as PolicyConfigSchema["properties"] };
}
