import { parseUrn, resourceTypeOf } from "pulumi-clouddb-facts";
import type { Warning } from "../json-report";
import { hasSecret, type Preview, type ResourceStep } from "../preview";
import { accessReasons } from "./access";
import { compareProperties } from "./properties";
import { canonicalText, countText, formatValue, groupBy, textsOf, warningsOf } from "./values";

/**
 * Reversible changes that still need a reviewer's attention, even if the engine does not count
 * them.
 */
export function attentionIn(preview: Preview): Warning[] {
  const { changes } = preview;
  return [
    ...changes.flatMap((step) =>
      warningsOf(step.urn, [
        ...lifecycleReasons(step),
        ...protectionReasons(step),
        ...accessReasons(step),
        ...providerReasons(step, changes),
      ]),
    ),
    ...providerMoves(changes),
    ...packsWithoutPolicies(preview),
    ...migrationsIn(preview),
  ];
}

function lifecycleReasons({ before, after }: ResourceStep): string[] {
  if (!before || !after || before.isPendingDeletion) return [];
  const [verb, end] = after.isRetained
    ? ["gets", "keeps running unmanaged"]
    : ["loses", "is deleted"];
  return textsOf(
    !before.isProtected && after.isProtected && "becomes protected",
    before.isProtected &&
      !after.isProtected &&
      "loses its protection: later changes may replace or delete it",
    before.isRetained !== after.isRetained &&
      `${verb} retainOnDelete: once removed from the program, it ${end}`,
  );
}

/**
 * Warnings about missing protection. Only TypeScript classes protect resources that cannot be
 * deleted.
 */
function protectionReasons({ type, operation, before, after }: ResourceStep): string[] {
  const { staysWhenDeleted = false, adoptionArgument = "" } = resourceTypeOf(type) ?? {};
  const isNew = !before && after && ["create", "import"].includes(operation);
  if (!isNew || !staysWhenDeleted || after.inputs[adoptionArgument] !== undefined) return [];
  if (after.isProtected || after.isRetained) return [];
  return [
    "is not protected: another name or --replace would create a second one; set the option protect: true",
  ];
}

/**
 * One warning for each pair of providers, since a provider's new version moves all of its
 * resources.
 */
function providerMoves(changes: readonly ResourceStep[]): Warning[] {
  const pairs = changes.map(({ before, after }) => [before?.provider ?? "", after?.provider ?? ""]);
  const moved = pairs.filter(([from, to]) => from && to && providerIn(from) !== providerIn(to));
  return groupBy(moved, (pair) => pair.join(" ")).flatMap(([, group]) => {
    const [[from = "", to = ""]] = group;
    const moves = countText(group.length, "resource moves", "resources move");
    return warningsOf(to, [`${moves} to this provider from ${parseUrn(from).name}`]);
  });
}

/** The type and name of a provider. Its URN depends on its parent. */
function providerIn(urn: string): string {
  const { type, name } = parseUrn(urn);
  return `${type} ${name}`;
}

/** Warnings about a changed address or key, which affects everything that the provider manages. */
function providerReasons(step: ResourceStep, changes: readonly ResourceStep[]): string[] {
  const { type, operation, before, after, urn } = step;
  if (!type.startsWith("pulumi:providers:") || (operation !== "update" && operation !== "replace"))
    return [];
  const users = changes.filter(
    (change) => (change.after ?? change.before)?.provider === urn,
  ).length;
  const reach = `; used by ${countText(users, "resource", "resources")}`;
  // Secrets look equal, and providers do not name changed settings.
  const hidden = Object.entries(after?.inputs ?? {})
    .filter(
      ([name, value]) =>
        hasSecret(value) && canonicalText(before?.inputs[name]) === canonicalText(value),
    )
    .map(([name]) => name);
  const secrets =
    hidden.length > 0 && `${hidden.join(", ")} may change: secret values cannot be compared`;
  const settings = compareProperties(step).map(({ place, before, after }) =>
    hasSecret([before, after])
      ? `${place} changes`
      : `${place} changes from ${formatValue(before)} to ${formatValue(after)}`,
  );
  return textsOf(...settings, secrets).map((text) => text + reach);
}

/**
 * Warnings about packs whose policies are all disabled, since they look like packs without
 * violations.
 */
function packsWithoutPolicies({ packs, policies, outcome }: Preview): Warning[] {
  if (outcome !== "succeeded") return [];
  const silent = packs.filter((pack) => !policies.some((policy) => policy.pack === pack));
  return silent.map((name) => ({
    urn: "",
    name,
    reason: "the policy pack ran with no policy enabled",
  }));
}

/** Planned migrations of the state, which come before any comparison. */
function migrationsIn({ diagnostics }: Preview): Warning[] {
  return diagnostics
    .filter(({ severity }) => severity === "info")
    .flatMap(({ urn, message }) =>
      warningsOf(urn, [
        `the program rewrites its stored state, which may hide a difference until a refresh: ${message.trim()}`,
      ]),
    );
}
