import {
  type Family,
  hasUnknown,
  isRecord,
  networkOf,
  OPEN_SHARE,
  rangesOf,
  shareOfInternet,
} from "pulumi-clouddb-facts";
import { formatValue, hasSecret } from "./values";

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
