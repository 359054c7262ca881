import {
  type Family,
  hasUnknown,
  isRecord,
  isUnknown,
  networkOf,
  OPEN_SHARE,
  rangesOf,
  resourceTypeOf,
  shareOfInternet,
} from "pulumi-clouddb-facts";
import type { ResourceStep, State } from "../preview";
import { formatValue, hasSecret, joinFirst } from "./values";

const FAMILIES: readonly Family[] = ["ipv4", "ipv6"];

/** The entries of an access list that open it to everyone, alone or together with other entries. */
export function wideSources(list: unknown): string[] {
  const entries = sourcesIn(list).flatMap((source) => {
    const network = networkOf(source);
    return network ? [{ source, ranges: rangesOf(network) }] : [];
  });
  const wide = FAMILIES.flatMap((family) => {
    const parts = entries.flatMap(({ source, ranges: { [family]: range } }) => (range ? [{ source, range }] : []));
    const share = (some: typeof parts) =>
      shareOfInternet(
        family,
        some.map(({ range }) => range),
      );
    if (share(parts) < OPEN_SHARE) return [];
    return parts.filter((part) => share([part]) * parts.length >= OPEN_SHARE).map(({ source }) => source);
  });
  return [...new Set(wide)];
}

/** Warnings about the access list of a new service. */
export function accessWarnings(list: unknown): string[] {
  const wide = wideSources(list);
  const open = wide.length > 0 ? [`is open to everyone through ${wide.map(formatValue).join(", ")}`] : [];
  return [...open, ...unknownAccess(list)];
}

function unknownAccess(list: unknown): string[] {
  if (hasUnknown(list)) return ["gets access entries that are not known yet"];
  return hasSecret(list) ? ["gets secret access entries, which cannot be checked"] : [];
}

function sourcesIn(list: unknown): string[] {
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
    const source = isRecord(entry) ? entry.source : entry;
    return typeof source === "string" ? [source.trim()] : [];
  });
}

/** The entries that a resource adds to the access of a service, or removes from it. */
export function accessChanges({ type, operation, before, after }: ResourceStep): string[] {
  if (!resourceTypeOf(type)?.removesEntries || operation === "forget") return [];
  const [old, now] = [before, after].map(entriesOf);
  const shared = new Set([before?.outputs.sharedSources, before?.outputs.sharedPrivateEndpointIds].flat());
  const without = (list: readonly Entry[] = [], others: readonly Entry[] = []) => {
    const keys = new Set(others.map(({ key }) => key));
    return list.filter(({ key }) => !keys.has(key));
  };
  // Networks that an update adds are named among the changes that cannot be undone.
  const opened = without(now, old).filter(({ isNetwork }) => operation !== "update" || !isNetwork);
  const closed = without(old, now).filter(({ key }) => !shared.has(key));
  const service = formatValue((after ?? before)?.inputs.serviceId);
  return [
    ...(opened.length > 0 ? [`opens access to service ${service} for ${joinFirst(opened.map(({ key }) => key))}`] : []),
    ...(closed.length > 0
      ? [`closes access to service ${service} for ${joinFirst(closed.map(({ key }) => key))}`]
      : []),
  ];
}

interface Entry {
  readonly key: string;
  readonly isNetwork: boolean;
}

function entriesOf(state: State | undefined): Entry[] {
  const { ipAccessList, privateEndpointIds } = state?.inputs ?? {};
  const networks = sourcesIn(ipAccessList).map((source) => ({
    key: networkOf(source)?.text ?? source,
    isNetwork: true,
  }));
  const endpoints = sourcesIn(privateEndpointIds).map((key) => ({ key, isNetwork: false }));
  return [...networks, ...endpoints].filter(({ key }) => !isUnknown(key));
}
