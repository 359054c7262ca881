import { parseUrn, resourceTypeOf, wideSources } from "pulumi-clouddb-facts";
import type { PropertyChange, Warning } from "../json-report";
import { hasSecret, type Preview, type ResourceStep, type State } from "../preview";
import { accessChanges, accessWarnings, closedByService, emptiedLists } from "./access";
import type { ComparedStep } from "./properties";
import { canonicalText, formatValue, textsOf } from "./values";

/**
 * Reversible changes that still need a reviewer's attention, even if the engine does not count
 * them.
 */
export function attentionIn(preview: Preview, compared: readonly ComparedStep[]): Warning[] {
  const { changes } = preview;
  const properties = new Map(compared.map((item) => [item.step, item.properties]));
  return [
    ...changes.flatMap((step) =>
      [
        ...lifecycleReasons(step),
        ...protectionReasons(step),
        ...accessReasons(step),
        ...accessChanges(step),
        ...closedByService(step),
        ...emptiedLists(step),
        ...providerReasons(step, properties.get(step) ?? [], preview),
      ].map((reason) => ({ urn: step.urn, name: step.name, reason })),
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
  const moved = new Map<string, { readonly from: string; readonly to: string; count: number }>();
  for (const { before, after } of changes) {
    if (!before?.provider || !after?.provider || providerOf(before) === providerOf(after)) continue;
    const key = `${before.provider} ${after.provider}`;
    const pair = moved.get(key) ?? { from: before.provider, to: after.provider, count: 0 };
    moved.set(key, { ...pair, count: pair.count + 1 });
  }
  return [...moved.values()].map(({ from, to, count }) => {
    const what = count === 1 ? "1 resource moves" : `${count} resources move`;
    return {
      urn: to,
      name: parseUrn(to).name,
      reason: `${what} to this provider from ${parseUrn(from).name}`,
    };
  });
}

/** The type and name of a provider. Its URN depends on its parent. */
function providerOf({ provider }: State): string {
  const { type, name } = parseUrn(provider);
  return `${type} ${name}`;
}

/** Warnings about access to a new service, and about a list that is no longer declared. */
function accessReasons({ type, operation, before, after }: ResourceStep): string[] {
  const ours = resourceTypeOf(type);
  if (!ours || !after) return [];
  if (["create", "adopt", "import", "replace"].includes(operation)) {
    return accessWarnings(after.inputs.ipAccessList ?? after.outputs.ipAccessList);
  }
  const [was, is] = [before, after].map((state) => state?.inputs.ipAccessList);
  if (ours.removesEntries || operation !== "update" || was === undefined || is !== undefined)
    return [];
  const wide = wideSources(before?.outputs.ipAccessList ?? was);
  const open = wide.length > 0 ? ", which is open to everyone" : "";
  return [
    `no longer declares ipAccessList: the server keeps the current list${open}, and Pulumi no longer manages it`,
  ];
}

/** Warnings about a changed address or key, which affects everything that the provider manages. */
function providerReasons(
  { type, operation, before, after, urn }: ResourceStep,
  properties: readonly PropertyChange[],
  { changes }: Preview,
): string[] {
  if (!type.startsWith("pulumi:providers:") || (operation !== "update" && operation !== "replace"))
    return [];
  const users = changes.filter(
    (change) => (change.after ?? change.before)?.provider === urn,
  ).length;
  const reach = `; used by ${users} ${users === 1 ? "resource" : "resources"}`;
  // Secrets look equal, and providers do not name changed settings.
  const hidden = Object.entries(after?.inputs ?? {})
    .filter(
      ([name, value]) =>
        hasSecret(value) && canonicalText(before?.inputs[name]) === canonicalText(value),
    )
    .map(([name]) => name);
  const secrets =
    hidden.length > 0 && `${hidden.join(", ")} may change: secret values cannot be compared`;
  return textsOf(...properties.map(settingText), secrets).map((text) => text + reach);
}

function settingText({ place, before, after }: PropertyChange): string {
  if (hasSecret(before) || hasSecret(after)) return `${place} changes`;
  return `${place} changes from ${formatValue(before)} to ${formatValue(after)}`;
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
    .map(({ urn, message }) => ({
      urn,
      name: parseUrn(urn).name,
      reason: `the program rewrites its stored state, which may hide a difference until a refresh: ${message.trim()}`,
    }));
}
