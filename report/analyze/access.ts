import { hasUnknown, isUnknown, networkOf, resourceTypeOf, sourcesIn, wideSources } from "pulumi-clouddb-facts";
import { hasSecret, type ResourceStep, type State } from "../preview";
import { missingIn } from "./properties";
import { formatValue, joinFirst, textsOf } from "./values";

/** Warnings about the access list of a new service. */
export function accessWarnings(list: unknown): string[] {
  const wide = wideSources(list);
  return textsOf(
    wide.length > 0 && `is open to everyone through ${wide.map(formatValue).join(", ")}`,
    hasUnknown(list) && "gets access entries that are not known yet",
    hasSecret(list) && !hasUnknown(list) && "gets secret access entries, which cannot be checked",
  );
}

/** The entries that a resource adds to the access of a service, or removes from it. */
export function accessChanges({ type, operation, before, after }: ResourceStep): string[] {
  if (!resourceTypeOf(type)?.removesEntries || operation === "forget") return [];
  const { sharedSources, sharedPrivateEndpointIds } = before?.outputs ?? {};
  const shared = new Set([sharedSources, sharedPrivateEndpointIds].flat());
  // Networks that an update adds are named among the changes that cannot be undone.
  const opened = [
    ...(operation === "update" ? [] : missingIn(networksIn(after), networksIn(before))),
    ...missingIn(endpointsIn(after), endpointsIn(before)),
  ];
  const closed = [
    ...missingIn(networksIn(before), networksIn(after)),
    ...missingIn(endpointsIn(before), endpointsIn(after)),
  ].filter((key) => !shared.has(key));
  const service = formatValue((after ?? before)?.inputs.serviceId);
  return textsOf(
    opened.length > 0 && `opens access to service ${service} for ${joinFirst(opened)}`,
    closed.length > 0 && `closes access to service ${service} for ${joinFirst(closed)}`,
  );
}

function networksIn(state: State | undefined): string[] {
  const sources = sourcesIn(state?.inputs.ipAccessList).filter((source) => !isUnknown(source));
  return sources.map((source) => networkOf(source)?.text ?? source);
}

function endpointsIn(state: State | undefined): string[] {
  return sourcesIn(state?.inputs.privateEndpointIds).filter((id) => !isUnknown(id));
}
