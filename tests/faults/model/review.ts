import {
  type ResourceValidationPolicy,
  type StackValidationPolicy,
  UnknownValueError,
} from "@pulumi/policy";
import { isUnknown, resourceTypeOf } from "../../../facts";
import type { CloudDbPolicy } from "../../../policies/core/policy";
import { policies } from "../../../policies/rules";
import { type Judgement, judge } from "../../../policies/testing/judge";
import type { ProgramResource } from "../../../policies/testing/program";
import { analyze } from "../../../report/analyze/analyze";
import { createEventReader } from "../../../report/read/events";
import { engineEvent } from "../../../report/read/schema";
import { render } from "../../../report/render/render";
import type { Properties } from "../../support/adapters/handlers";
import { secret, withMarks } from "../../support/adapters/values";
import type { Result } from "../../support/engine/command";
import { eventsOf } from "../../support/engine/events";
import { findByName, nameIn, type Stack, typeIn } from "../../support/engine/state";

/** Policies and the report on the previews of histories. */

interface Review {
  readonly events: readonly object[];
  readonly analysis: ReturnType<typeof analyze>;
  readonly markdown: string;
  readonly json: string;
}

/** Runs the policies and the report on a preview of a stack. */
export async function reviewPreview(
  stack: Stack,
  result: Result,
  messages: readonly string[],
): Promise<Review> {
  const events = eventsOf(result, messages);
  const reader = createEventReader();
  for (const event of events) reader.add(event);
  for (const text of await violationsIn(resourcesIn(stack, result))) {
    const [policyName = "", ...message] = text.split("\n");
    const finding = { policyName, policyPackName: "clouddb", message: message.join("\n") };
    reader.add(engineEvent.parse({ policyEvent: { ...finding, enforcementLevel: "mandatory" } }));
  }
  const analysis = analyze(reader.preview(), { pricePerGbHour: 0.1 });
  const markdown = render([analysis], "markdown", {});
  return { events, analysis, markdown, json: render([analysis], "json", {}) };
}

/** Expects a report to name what a command has replaced and deleted. */
export function expectReported({ operations }: Result, { analysis, markdown }: Review): void {
  for (const { urn, name } of operations) {
    const wanted = { replace: ["replace"], delete: ["delete", "forget"] }[name];
    if (wanted === undefined) continue;
    // An ID that is not known in the preview may be another one in the update.
    const isNamed = analysis.changes.some(
      (change) =>
        change.urn === urn &&
        (wanted.includes(change.operation) ||
          (name === "replace" && change.properties.some(isUnknownId))),
    );
    if (!isNamed || !markdown.includes(nameIn(urn)))
      throw new Error(`the report does not name that ${urn} is affected by ${name}:\n${markdown}`);
  }
}

const isUnknownId = ({ place, after }: { readonly place: string; readonly after: unknown }) =>
  place.endsWith("Id") && isUnknown(after);

/** The resources of a preview, as policies see them. */
function resourcesIn(stack: Stack, { operations }: Result): ProgramResource[] {
  return operations.flatMap(({ urn, name, new: next }) => {
    if (!next?.inputs || name === "create-replacement" || name === "refresh") return [];
    const [args, stored] = [withMarks(next.inputs), findByName(stack, nameIn(urn))];
    return {
      ...{ type: typeIn(urn), name: nameIn(urn), args },
      options: { protect: next.protect === true },
      ...(stored && { outputs: { ...withMarks(stored.outputs), ...args } }),
    };
  });
}

/** The violations; a literal has to be judged like its reference. */
async function violationsIn(resources: readonly ProgramResource[]): Promise<readonly string[]> {
  const verdict = await judge(allPolicies, { resources });
  const literals = resources.map((each) => ({ ...each, args: withLiterals(each) }));
  if (JSON.stringify(literals) !== JSON.stringify(resources)) {
    const other = await judge(allPolicies, { resources: literals });
    expect(comparable(other)).toEqual(comparable(verdict));
  }
  return verdict.violations;
}

/** A verdict without that of the policy that distinguishes a literal from a reference. */
const comparable = ({ violations, unchecked }: Judgement) => ({
  violations: violations.filter((text) => !text.startsWith("secrets-by-reference\n")),
  unchecked,
});

const withSettings = <Args>(args: Args, { definition }: Pick<CloudDbPolicy, "definition">) => ({
  ...args,
  getConfig: <Settings>() => (definition.bad.settings ?? {}) as Settings,
});

/** All policies as one, whose violations begin with their names: a program is built once. */
const allPolicies = {
  name: "all-policies",
  validateResource: policies.map((policy) => (args, report) => {
    const named = (text: string) => report(`${policy.name}\n${text}`);
    policy.validateResource(withSettings(args, policy), named);
  }),
  validateStack(args, report) {
    for (const policy of policies as readonly CloudDbPolicy[]) {
      const named = (text: string) => report(`${policy.name}\n${text}`);
      try {
        policy.validateStack?.(withSettings(args, policy), named);
      } catch (error) {
        if (!(error instanceof UnknownValueError)) throw error;
        named((error as Error).message);
      }
    }
  },
} as ResourceValidationPolicy & StackValidationPolicy;

/** The arguments with literals in the places of references. */
function withLiterals({ type, args }: ProgramResource): Properties {
  const literals = structuredClone(args) as Properties;
  delete literals.secretFingerprints;
  const { references = {} } = resourceTypeOf(`clouddb:index:${type}`) ?? {};
  for (const [place, reference] of Object.entries(references)) {
    const path = reference.split(".");
    const name = path.pop() ?? "";
    const holder = path.reduce<Properties | undefined>(
      (value, member) => value?.[member] as Properties | undefined,
      literals,
    );
    if (holder?.[name] === undefined) continue;
    delete holder[name];
    holder[place.split(".").at(-1) ?? ""] = secret("a literal");
  }
  return literals;
}
