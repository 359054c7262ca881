import {
  hasUnknown,
  isUnknown,
  networkOf,
  resourceTypeOf,
  sourcesIn,
  wideSources,
} from "pulumi-clouddb-facts";
import { hasSecret, isSecret, type ResourceStep, type State } from "../preview";
import { missingIn, storedList } from "./properties";
import { formatValue, joinFirst, textsOf } from "./values";

/** Access that a change opens or closes, or may close. */
export function accessReasons(step: ResourceStep): string[] {
  return [
    ...networkReasons(step),
    ...accessChanges(step),
    ...closedByService(step),
    ...emptiedLists(step),
  ];
}

/** Warnings about the networks of a new service, and about a dropped access list. */
function networkReasons({ type, operation, before, after }: ResourceStep): string[] {
  const ours = resourceTypeOf(type);
  if (!ours || !after) return [];
  if (["create", "adopt", "import", "replace"].includes(operation)) {
    const list = after.inputs.ipAccessList ?? after.outputs.ipAccessList;
    const wide = wideSources(list);
    return textsOf(
      wide.length > 0 && `is open to everyone through ${wide.map(formatValue).join(", ")}`,
      hasUnknown(list) && "gets access entries that are not known yet",
      hasSecret(list) && !hasUnknown(list) && "gets secret access entries, which cannot be checked",
    );
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

const ACCESS_LISTS = ["ipAccessList", "privateEndpointIds"];

function accessChanges({ type, operation, before, after }: ResourceStep): string[] {
  if (!resourceTypeOf(type)?.removesEntries || operation === "forget") return [];
  const { sharedSources, sharedPrivateEndpointIds } = before?.outputs ?? {};
  const shared = new Set([sharedSources, sharedPrivateEndpointIds].flat());
  const keysOf = (state: State | undefined, names: readonly string[]) =>
    names.flatMap((name) => keysIn(state?.inputs[name]));
  // The irreversible changes already list networks that an update adds.
  const openedLists = operation === "update" ? ["privateEndpointIds"] : ACCESS_LISTS;
  const opened = missingIn(keysOf(after, openedLists), keysOf(before, openedLists));
  const closed = missingIn(keysOf(before, ACCESS_LISTS), keysOf(after, ACCESS_LISTS)).filter(
    (key) => !shared.has(key),
  );
  const service = formatValue((after ?? before)?.inputs.serviceId);
  return textsOf(
    opened.length > 0 && `opens access to service ${service} for ${joinFirst(opened)}`,
    closed.length > 0 && `closes access to service ${service} for ${joinFirst(closed)}`,
  );
}

/** The access that a service loses when the program first declares a complete list. */
function closedByService(step: ResourceStep): string[] {
  const { operation, before, after } = step;
  if (operation !== "update") return [];
  return ACCESS_LISTS.flatMap((name) => {
    const list = after?.inputs[name];
    if (list === undefined || before?.inputs[name] !== undefined) return [];
    const stored = storedList(step, name) ?? [];
    const closed = missingIn(keysIn(stored), keysIn(list));
    if (closed.length === 0) return [];
    const isCertain = Array.isArray(list) && !hasUnknown(list) && !hasSecret(list);
    const shown = hasSecret([stored, list]) ? "secret entries" : joinFirst(closed);
    const closes = isCertain ? "closes" : "may close";
    return [
      `${closes} access for ${shown}: ${name} is declared for the first time, and the service keeps only the declared entries`,
    ];
  });
}

/** The access that ends when the program removes every entry of a complete list. */
function emptiedLists({ type, operation, before, after }: ResourceStep): string[] {
  const { completeLists = {} } = resourceTypeOf(type) ?? {};
  if (operation !== "update") return [];
  return ACCESS_LISTS.filter((name) => name in completeLists).flatMap((name) => {
    const [was, is] = [before, after].map((state) => state?.inputs[name]);
    const hadEntries = Array.isArray(was) ? was.length > 0 : isSecret(was);
    if (!Array.isArray(is) || is.length > 0 || !hadEntries) return [];
    return [
      `removes every entry of ${name}: ${hasSecret(was) ? "secret entries" : joinFirst(keysIn(was))}`,
    ];
  });
}

/** The known entries of a list: canonical networks, and IDs. */
function keysIn(list: unknown): string[] {
  const known = sourcesIn(list).filter((source) => !isUnknown(source));
  return known.map((source) => networkOf(source)?.text ?? source);
}
