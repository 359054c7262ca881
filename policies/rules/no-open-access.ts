import {
  type Family,
  isRecord,
  type Network,
  networkOf,
  OPEN_SHARE,
  prefixOf,
  type Range,
  rangesOf,
  shareOfInternet,
  subtract,
  UNKNOWN,
} from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { describeResource, type PolicyContext } from "../policy/policy-context";
import type { PolicyResource } from "../policy/policy-resource";
import { SECRET } from "../policy/secrets";
import { type Settings, withStacks } from "../policy/settings";
import { groupByTarget } from "../policy/targets";

const prefix = (most: number) => {
  const error = `use a prefix length, an integer from 0 to ${most}`;
  return z.number(error).int(error).min(0, error).max(most, error);
};
const networkText = z
  .string("use a network such as 203.0.113.0/24")
  .refine((text) => networkOf(text) !== undefined, "use a network such as 203.0.113.0/24");

const schema = withStacks({
  widestPrefix: prefix(32)
    .default(8)
    .describe("The shortest prefix length of an IPv4 network; default 8. Half of the internet needs `allow`."),
  widestPrefixIpv6: prefix(128).default(32).describe("The shortest prefix length of an IPv6 network; default 32."),
  widestTotal: prefix(32).default(4).describe("The same for all IPv4 entries of a list together; default 4."),
  widestTotalIpv6: prefix(128).default(28).describe("The same for all IPv6 entries of a list together; default 28."),
  allow: z
    .array(networkText)
    .default([])
    .describe("Networks that are allowed at any width, including every address in them."),
});

/** Each address family and its settings. */
const FAMILIES = [
  { family: "ipv4", title: "IPv4", each: "widestPrefix", total: "widestTotal" },
  { family: "ipv6", title: "IPv6", each: "widestPrefixIpv6", total: "widestTotalIpv6" },
] as const;

type AccessSettings = Settings<z.output<typeof schema>>;
type Ranges = Partial<Record<Family, Range[]>>;

/** In the preview of a create or an update, the engine does not show the current list of the service. */
function reportUnknownList(resource: PolicyResource, context: PolicyContext): void {
  const reason = "the service may allow more than the program shows (an empty list allows no access)";
  context.require(resource, "ipAccessList", reason);
}

/** Checks an entry, and returns the addresses that count for the total: those that the settings do not allow. */
function checkEntry(
  resource: PolicyResource,
  source: unknown,
  index: number,
  { values, origin }: AccessSettings,
  context: PolicyContext,
): Ranges | undefined {
  const network = typeof source === "string" ? networkOf(source) : undefined;
  if (network === undefined) {
    context.reportViolation(
      resource,
      `ipAccessList[${index}].source is not an IP address or CIDR network; use one such as 203.0.113.0/24.`,
    );
    return undefined;
  }
  const ranges = rangesOf(network);
  const counting = notAllowed(network, values.allow);
  const counted: Ranges = {};
  const reasons: string[] = [];
  for (const { family, each: setting } of FAMILIES) {
    const range = ranges[family];
    if (range === undefined) continue;
    const rest = counting[family];
    counted[family] = rest;
    if (rest.length === 0) continue;
    const open = openPart(family, [range]);
    if (open !== undefined) reasons.unshift(open);
    else if (prefixOf(family, rest) < values[setting])
      reasons.push(`a network wider than /${values[setting]}, ${origin(setting)}`);
  }
  const [reason] = reasons;
  if (reason === undefined) return counted;
  const label = resource.isSecret("ipAccessList") ? `${SECRET} (entry ${index})` : source;
  context.reportViolation(
    resource,
    `${label} in ipAccessList allows ${reason}; list only the networks that need access, or add it to the setting allow.`,
  );
  return undefined;
}

/**
 * The addresses of a network that the settings do not allow. An allowed prefix of translated addresses allows itself, and
 * none of the IPv4 networks behind it; an allowed IPv4 network is allowed in translation.
 */
function notAllowed(network: Network, allow: readonly string[]): Record<Family, Range[]> {
  const allowed = allow.flatMap((text) => networkOf(text) ?? []);
  const allowedIn = (family: Family) => allowed.flatMap((item) => (item.family === family ? [item.range] : []));
  const rest = subtract(network.range, allowedIn(network.family)).map((range) => rangesOf({ ...network, range }));
  return {
    ipv4: rest.flatMap(({ ipv4 }) => (ipv4 ? subtract(ipv4, allowedIn("ipv4")) : [])),
    ipv6: rest.flatMap(({ ipv6 }) => (ipv6 ? [ipv6] : [])),
  };
}

/** The reasons against many narrow networks that together may cover the whole internet. */
function totalReasons(
  entries: readonly Ranges[],
  { values, origin }: AccessSettings,
  parts: readonly PolicyResource[],
): string[] {
  const isSecret = parts.some((part) => part.isSecret("ipAccessList"));
  const reasons: string[] = [];
  for (const { family, title, each: setting, total } of FAMILIES) {
    const open = entries.flatMap((entry) => (entry[family]?.length ? [entry[family]] : []));
    // A single network may be as wide as its own setting allows.
    const bound = values[setting] < values[total] ? setting : total;
    const prefix = prefixOf(family, open.flat());
    const part = openPart(family, open.flat());
    if (prefix >= values[bound] && part === undefined) continue;
    const reason =
      part ??
      `as many ${title} addresses as a /${isSecret ? SECRET : Number(prefix.toFixed(2))} network, wider than /${values[bound]}, ${origin(bound)}`;
    reasons.push(`${open.length} entries of ipAccessList together allow ${reason}; ${ADVICE}`);
  }
  return reasons;
}

const ADVICE = "list only the networks that need access, or add them to the setting allow.";

/** The addresses of a list that count for its total, without those that are violations by themselves. */
function countedRanges(resource: PolicyResource, settings: AccessSettings, context: PolicyContext): Ranges[] {
  const list = resource.value("ipAccessList");
  if (list === UNKNOWN) context.reportUnchecked(resource, "ipAccessList is not known yet");
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown, index) => {
    const source: unknown = isRecord(entry) ? entry.source : entry;
    if (source !== UNKNOWN) return checkEntry(resource, source, index, settings, context) ?? [];
    context.reportUnchecked(resource, "an entry of ipAccessList is not known yet");
    return [];
  });
}

const SILENT = { reportViolation() {}, reportUnchecked() {} };

/** The part of the internet that ranges allow, if it counts as everyone. */
function openPart(family: Family, ranges: readonly Range[]): string | undefined {
  const share = shareOfInternet(family, ranges);
  if (share === 1) return "the whole internet";
  return share >= OPEN_SHARE ? "at least half of the internet" : undefined;
}

export const noOpenAccess = createPolicy({
  name: "no-open-access",
  level: "mandatory",
  description: "No access list allows half of the internet or more, or networks wider than the settings permit.",
  reason: "A database that is open to the internet will be attacked.",
  settings: schema,
  resourceTypes: ["Service", "ServiceAccess"],
  evaluate(resource, settings, context) {
    const list = resource.value("ipAccessList");
    if (list === undefined && resource.evaluates === "outputs" && resource.isUndeclared("ipAccessList")) {
      reportUnknownList(resource, context);
    }
    for (const reason of totalReasons(countedRanges(resource, settings, context), settings, [resource]))
      context.reportViolation(resource, `the ${reason}`);
  },
  evaluateStack(stackResources, settings, context) {
    for (const { service, members } of groupByTarget(stackResources, "ServiceAccess").services) {
      const parts = [...(service ? [service] : []), ...members];
      const [resource] = parts;
      const lists = parts.map((part) => countedRanges(part, settings, { ...context, ...SILENT }));
      // A list that is too open by itself has been reported.
      if (resource === undefined || lists.some((list) => totalReasons(list, settings, parts).length > 0)) continue;
      const owners = parts.map(describeResource).join(" and ");
      for (const reason of totalReasons(lists.flat(), settings, parts))
        context.reportViolation(
          resource,
          `the access of its service is open: the ${reason.replace(" of ipAccessList", ` of ${owners}`)}`,
        );
    }
  },
  evaluatesOutputs: true,
  good: {
    resources: [{ type: "Service", name: "analytics", args: { ipAccessList: [{ source: "203.0.113.0/24" }] } }],
  },
  bad: {
    resources: [
      {
        type: "Service",
        name: "analytics",
        args: {
          ipAccessList: [
            { source: "0.0.0.0/0", description: "temporary" },
            { source: "2001::/16", description: "partner" },
          ],
        },
      },
    ],
  },
});
