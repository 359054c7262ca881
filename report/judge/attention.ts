import { kindOf } from "../kinds";
import { type Change, nameOf, type Preview, type State } from "../preview";
import { openings, wideSources } from "./access";
import type { Warning } from "./irreversible";
import { type PropertyChange, propertyChanges } from "./properties";
import { hasSecret, printOf, shown } from "./values";

/** What a reviewer should look at although it can be undone, and although the engine may count it as no change. */
export function attentionIn(preview: Preview, masks: readonly RegExp[]): Warning[] {
  const { changes } = preview;
  return [
    ...changes.flatMap((change) =>
      [...lifecycleChanges(change), ...accessOf(change), ...settingsOf(change, changes, masks)].map((reason) => ({
        urn: change.urn,
        name: change.name,
        reason,
      })),
    ),
    ...otherProviders(changes),
    ...packsWithoutPolicies(preview),
  ];
}

function lifecycleChanges({ before, after }: Change): string[] {
  if (!before || !after || before.isLeftOver) return [];
  const switched = (name: "isProtected" | "isRetained", on: string, off: string) =>
    before[name] === after[name] ? [] : [after[name] ? on : off];
  return [
    ...switched(
      "isProtected",
      "it becomes protected",
      "it loses its protection: later changes may replace or delete it",
    ),
    ...switched(
      "isRetained",
      "retainOnDelete is set: once it leaves the program it stays as it is, unmanaged",
      "retainOnDelete is removed: once it leaves the program it is deleted",
    ),
  ];
}

/** Once for each pair of providers: a new version of one moves every resource that it manages. */
function otherProviders(changes: readonly Change[]): Warning[] {
  const moved = new Map<string, { readonly from: string; readonly to: string; count: number }>();
  for (const { before, after } of changes) {
    if (!before?.provider || !after?.provider || providerOf(before) === providerOf(after)) continue;
    const key = `${before.provider} ${after.provider}`;
    const pair = moved.get(key) ?? { from: before.provider, to: after.provider, count: 0 };
    moved.set(key, { ...pair, count: pair.count + 1 });
  }
  return [...moved.values()].map(({ from, to, count }) => {
    const what = count === 1 ? "1 resource is" : `${count} resources are`;
    return { urn: to, name: nameOf(to), reason: `${what} managed through this provider instead of ${nameOf(from)}` };
  });
}

/** Type and name: another parent makes another URN of the same provider. */
function providerOf({ provider }: State): string {
  const [, , types = ""] = provider.split("::");
  return `${types.split("$").at(-1)} ${nameOf(provider)}`;
}

/** Who may reach a new service, and what a list comes to that is no longer declared. */
function accessOf({ type, operation, before, after }: Change): string[] {
  if (!kindOf(type) || !after) return [];
  if (["create", "import", "replace"].includes(operation)) {
    return openings(after.inputs.ipAccessList ?? after.outputs.ipAccessList);
  }
  if (operation !== "update" || before?.inputs.ipAccessList === undefined || after.inputs.ipAccessList !== undefined) {
    return [];
  }
  const stays = wideSources(before.outputs.ipAccessList ?? before.inputs.ipAccessList);
  const open = stays.length > 0 ? ", and stays open to everybody" : "";
  return [`ipAccessList is no longer declared: it is no longer managed, stays as it is on the server${open}`];
}

/** An address or a key that changes reaches everything that the provider manages. */
function settingsOf(change: Change, changes: readonly Change[], masks: readonly RegExp[]): string[] {
  const { type, operation, before, after, urn } = change;
  if (!type.startsWith("pulumi:providers:") || (operation !== "update" && operation !== "replace")) return [];
  const users = changes.filter((each) => (each.after ?? each.before)?.provider === urn).length;
  const reach = `; ${users} ${users === 1 ? "resource uses" : "resources use"} it`;
  const found = propertyChanges(change, masks).map(settingText);
  // Two secrets look the same, and providers do not say which of their settings differ.
  const hidden = Object.keys(after?.inputs ?? {}).filter(
    (name) => hasSecret(after?.inputs[name]) && printOf(before?.inputs[name]) === printOf(after?.inputs[name]),
  );
  const secrets = hidden.length > 0 ? [`${hidden.join(", ")} may change: secret values cannot be compared`] : [];
  return [...found, ...secrets].map((text) => text + reach);
}

function settingText({ place, before, after }: PropertyChange): string {
  if (hasSecret(before) || hasSecret(after)) return `its ${place} changes`;
  return `its ${place} changes from ${shown(before)} to ${shown(after)}`;
}

/** A pack that runs with all its policies off looks like one that has nothing to object to. */
function packsWithoutPolicies({ packs, policies, outcome }: Preview): Warning[] {
  if (outcome !== "succeeded") return [];
  const silent = packs.filter((pack) => !policies.some((each) => each.pack === pack));
  return silent.map((name) => ({ urn: "", name, reason: "the policy pack ran, but none of its policies is enabled" }));
}
