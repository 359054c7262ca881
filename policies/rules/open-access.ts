import {
  type Family,
  hasUnknown,
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
import { createPolicy, type PolicyContext } from "../core/policy";
import { describeResource, type PolicyResource, SECRET } from "../core/resource";
import { type Settings, withStacks } from "../core/settings";
import { groupByTarget } from "../core/stack";
import { access, service } from "../testing/program";

const prefix = (most: number) => {
  const error = `use a prefix length, an integer from 0 to ${most}`;
  return z.number(error).int(error).min(0, error).max(most, error);
};
const NETWORK = "use a network such as 203.0.113.0/24";

const schema = withStacks({
  widestPrefix: prefix(32)
    .default(8)
    .describe(
      "The shortest prefix length of an IPv4 network; default 8. Half of the internet needs `allow`.",
    ),
  widestPrefixIpv6: prefix(128)
    .default(32)
    .describe("The shortest prefix length of an IPv6 network; default 32."),
  widestTotal: prefix(32)
    .default(4)
    .describe("The shortest prefix length of all IPv4 entries of a list together; default 4."),
  widestTotalIpv6: prefix(128)
    .default(28)
    .describe("The shortest prefix length of all IPv6 entries of a list together; default 28."),
  allow: z
    .array(z.string(NETWORK).refine((text) => networkOf(text) !== undefined, NETWORK))
    .default([])
    .describe("Networks that are allowed at any width, including every address in them."),
});

/** The address families with their settings. */
const FAMILIES = [
  { family: "ipv4", title: "IPv4", each: "widestPrefix", total: "widestTotal" },
  { family: "ipv6", title: "IPv6", each: "widestPrefixIpv6", total: "widestTotalIpv6" },
] as const;

type AccessSettings = Settings<z.output<typeof schema>>;
type Ranges = Readonly<Record<Family, readonly Range[]>>;

/** The part of the internet that ranges allow, if it counts as everyone. */
function openPart(family: Family, ranges: readonly Range[]): string | undefined {
  const share = shareOfInternet(family, ranges);
  if (share === 1) return "the whole internet";
  return share >= OPEN_SHARE ? "at least half of the internet" : undefined;
}

/**
 * A network's addresses that settings do not allow. An allowed prefix for translated addresses
 * allows only itself, not the IPv4 networks behind it; an allowed IPv4 network is also allowed in
 * translation. An allowed `0.0.0.0` allows only itself.
 */
function notAllowed(network: Network, allowed: readonly Network[]): Ranges {
  if (allowed.some(({ text }) => text === network.text)) return { ipv4: [], ipv6: [] };
  const allowedIn = (family: Family) =>
    allowed.flatMap((item) => (item.family === family && !item.isWildcard ? [item.range] : []));
  const rest = subtract(network.range, allowedIn(network.family)).map((range) =>
    rangesOf({ family: network.family, range }),
  );
  return {
    ipv4: rest.flatMap(({ ipv4 }) => (ipv4 ? subtract(ipv4, allowedIn("ipv4")) : [])),
    ipv6: rest.flatMap(({ ipv6 }) => (ipv6 ? [ipv6] : [])),
  };
}

/** The reason against a single network. `counted` are its addresses that no setting allows. */
function reasonAgainst(
  network: Network,
  counted: Ranges,
  { values, origin }: AccessSettings,
): string | undefined {
  const ranges = rangesOf(network);
  const counting = FAMILIES.filter(({ family }) => counted[family].length > 0);
  const [open] = counting.flatMap(
    ({ family }) => (ranges[family] && openPart(family, [ranges[family]])) ?? [],
  );
  const wide = counting.find(
    ({ family, each }) => prefixOf(family, counted[family]) < values[each],
  );
  return open ?? (wide && `a network wider than /${values[wide.each]}, ${origin(wide.each)}`);
}

/**
 * Checks each entry of a list. Returns the addresses of valid entries, which count towards the
 * total.
 */
function checkEntries(
  resource: PolicyResource,
  settings: AccessSettings,
  context?: PolicyContext,
): Ranges[] {
  const list = resource.value("ipAccessList");
  const allowed = settings.values.allow.flatMap((text) => networkOf(text) ?? []);
  if (list === UNKNOWN) context?.reportUnchecked(resource, "ipAccessList is not known yet");
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown, index) => {
    const source = isRecord(entry) ? entry.source : entry;
    const network = typeof source === "string" ? networkOf(source) : undefined;
    if (source === UNKNOWN)
      context?.reportUnchecked(resource, "an entry of ipAccessList is not known yet");
    else if (network === undefined) {
      const problem = `ipAccessList[${index}].source is not an IP address or CIDR network`;
      context?.reportViolation(resource, `${problem}; use one such as 203.0.113.0/24.`);
    }
    if (network === undefined) return [];
    const counted = notAllowed(network, allowed);
    const reason = reasonAgainst(network, counted, settings);
    if (reason === undefined) return [counted];
    const label = resource.isSecret("ipAccessList") ? `${SECRET} (entry ${index})` : source;
    context?.reportViolation(
      resource,
      `${label} in ipAccessList allows ${reason}; list only the networks that need access, or add it to the setting allow.`,
    );
    return [];
  });
}

/**
 * The reasons against narrow networks that cover too much together. `owners` completes "entries of
 * …".
 */
function totalReasons(
  entries: readonly Ranges[],
  { values, origin }: AccessSettings,
  parts: readonly PolicyResource[],
  owners = "ipAccessList",
): string[] {
  const isSecret = parts.some((part) => part.isSecret("ipAccessList"));
  return FAMILIES.flatMap(({ family, title, each, total }) => {
    const counting = entries.map((entry) => entry[family]).filter((ranges) => ranges.length > 0);
    const ranges = counting.flat();
    // A single network may be as wide as the setting for single networks allows.
    const bound = values[each] < values[total] ? each : total;
    const prefix = prefixOf(family, ranges);
    const part = openPart(family, ranges);
    if (prefix >= values[bound] && part === undefined) return [];
    const size = isSecret ? SECRET : Number(prefix.toFixed(2));
    const limit = `wider than /${values[bound]}, ${origin(bound)}`;
    const wide = `as many ${title} addresses as a /${size} network, ${limit}`;
    const advice = "list only the networks that need access, or add them to the setting allow.";
    return [
      `the ${counting.length} entries of ${owners} together allow ${part ?? wide}; ${advice}`,
    ];
  });
}

export const noOpenAccess = createPolicy({
  name: "no-open-access",
  level: "mandatory",
  severity: "critical",
  description:
    "No access list allows half of the internet or more, or networks wider than the settings permit.",
  reason: "A database that is open to the internet will be attacked.",
  settings: schema,
  resourceTypes: ["Service", "ServiceAccess"],
  evaluate(resource, settings, context) {
    const name = "ipAccessList";
    // In a preview of a change, the engine does not show the service's current list.
    const reason =
      "the service may allow more than the program shows (an empty list allows no access)";
    if (resource.value(name) === undefined) context.require(resource, name, reason);
    for (const reason of totalReasons(checkEntries(resource, settings, context), settings, [
      resource,
    ]))
      context.reportViolation(resource, reason);
  },
  evaluateStack(stackResources, settings, context) {
    for (const { service, members } of groupByTarget(stackResources, "ServiceAccess").services) {
      const parts = [...(service ? [service] : []), ...members];
      const [resource] = parts;
      const lists = parts.map((part) => checkEntries(part, settings));
      // A list that is too open by itself is already reported.
      if (
        resource === undefined ||
        lists.some((list) => totalReasons(list, settings, parts).length > 0)
      )
        continue;
      const owners = parts.map(describeResource).join(" and ");
      for (const reason of totalReasons(lists.flat(), settings, parts, owners))
        context.reportViolation(resource, `the access of its service is open: ${reason}`);
    }
  },
  evaluatesOutputs: true,
  good: { resources: [service({ ipAccessList: [{ source: "203.0.113.0/24" }] })] },
  bad: {
    resources: [
      service({
        ipAccessList: [
          { source: "0.0.0.0/0", description: "temporary" },
          { source: "2001::/16", description: "partner" },
        ],
      }),
    ],
  },
});

const SHARED = {
  serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  ipAccessList: [{ source: "192.0.2.0/28" }],
};
const sharedWith = (openSources: readonly string[]) => ({
  ...access(SHARED),
  outputs: { openSources },
});

export const noOpenAccessByOthers = createPolicy({
  name: "no-open-access-by-others",
  level: "advisory",
  severity: "critical",
  description:
    "A service to which a ServiceAccess adds entries is not open to everyone through entries of others.",
  reason:
    "The networks that this stack declares protect nothing while another stack or the console lets everyone in.",
  settings: z.strictObject({}),
  resourceTypes: ["ServiceAccess"],
  evaluateStack(stackResources, _settings, context) {
    for (const resource of stackResources.filter(({ type }) => type === "ServiceAccess")) {
      const { openSources } = resource.properties;
      if (!Array.isArray(openSources) || hasUnknown(openSources))
        context.reportUnchecked(
          resource,
          "openSources, the open networks of others, is not known yet",
        );
      else if (openSources.length > 0) {
        const isSecret = ["openSources", "ipAccessList"].some(resource.isSecret);
        const shown = isSecret ? SECRET : openSources.join(", ");
        const problem = `entries of others open its service to everyone: ${shown}`;
        context.reportViolation(
          resource,
          `${problem}; find out who added them, and have them removed.`,
        );
      }
    }
  },
  good: { resources: [sharedWith([])] },
  bad: { resources: [sharedWith(["0.0.0.0/0"])] },
});
