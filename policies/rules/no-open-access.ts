import { networkOf, UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import type { Findings } from "../policy/findings";
import { type Family, isEverybody, prefixOf, type Range, rangesOf, without } from "../policy/networks";
import { createPolicy } from "../policy/policy";
import { type Settings, withStacks } from "../policy/settings";
import type { Subject } from "../policy/subject";

const prefix = (most: number) => {
  const error = `use the length of a network's prefix, a whole number from 0 to ${most}`;
  return z.number(error).int(error).min(0, error).max(most, error);
};
const network = z
  .string("use a network such as 203.0.113.0/24")
  .refine((text) => networkOf(text) !== undefined, "use a network such as 203.0.113.0/24");

const schema = withStacks({
  widestPrefix: prefix(32).default(8).describe("The shortest prefix of an IPv4 network; 8 is the default."),
  widestPrefixIpv6: prefix(128).default(32).describe("The shortest prefix of an IPv6 network; 32 is the default."),
  widestTotal: prefix(32)
    .default(4)
    .describe("All IPv4 entries of a list together are at most as wide as a network of this prefix; 4 is the default."),
  widestTotalIpv6: prefix(128).default(28).describe("The same for IPv6; 28 is the default."),
  allow: z.array(network).default([]).describe("Networks that are allowed however wide they are, with all in them."),
});

/** Each family of addresses, and the settings that are about it. */
const FAMILIES = [
  { family: "ipv4", title: "IPv4", each: "widestPrefix", total: "widestTotal" },
  { family: "ipv6", title: "IPv6", each: "widestPrefixIpv6", total: "widestTotalIpv6" },
] as const;

type Values = Settings<z.output<typeof schema>>;
type Ranges = Partial<Record<Family, Range[]>>;

function judge(subject: Subject, settings: Values, findings: Findings): void {
  const list = subject.value("ipAccessList");
  if (list === undefined && subject.stage === "undeclared" && subject.isUndeclared("ipAccessList")) {
    judgeUnknown(subject, findings);
  }
  if (list === UNKNOWN) findings.unchecked(subject, "ipAccessList is not known yet");
  const sound: Ranges[] = [];
  for (const entry of Array.isArray(list) ? list : []) {
    const source: unknown = entry === UNKNOWN ? UNKNOWN : entry?.source;
    if (source === UNKNOWN) findings.unchecked(subject, "an entry of ipAccessList is not known yet");
    else {
      const ranges = judgeEntry(subject, source, settings, findings);
      if (ranges !== undefined) sound.push(ranges);
    }
  }
  judgeTotal(subject, sound, settings, findings);
}

/** A creation, or a change in whose preview the engine does not show what the service has. */
function judgeUnknown(subject: Subject, findings: Findings): void {
  if (!subject.isCreated) findings.known(subject, "ipAccessList");
  else {
    findings.missing(
      subject,
      "ipAccessList is not declared, and this preview does not show whom the service lets in; declare it, as an empty list for nobody.",
    );
  }
}

/** What of an entry counts for the total: its addresses that the settings do not allow anyway. */
function judgeEntry(
  subject: Subject,
  source: unknown,
  { values, origin }: Values,
  findings: Findings,
): Ranges | undefined {
  const canonical = typeof source === "string" ? networkOf(source) : undefined;
  if (canonical === undefined) {
    findings.violation(
      subject,
      `ipAccessList has ${JSON.stringify(source)}, which is no address or network; use one such as 203.0.113.0/24.`,
    );
    return undefined;
  }
  const allowed = values.allow.map((each) => rangesOf(networkOf(each) ?? each));
  const ranges = rangesOf(canonical);
  const open: Ranges = {};
  const reasons: string[] = [];
  for (const { family, each } of FAMILIES) {
    const range = ranges[family];
    if (range === undefined) continue;
    const rest = without(
      range,
      allowed.map((network) => network[family]).filter((range) => range !== undefined),
    );
    open[family] = rest;
    if (rest.length === 0) continue;
    if (isEverybody(family, [range])) reasons.unshift("everybody");
    else if (prefixOf(family, rest) < values[each])
      reasons.push(`a network wider than /${values[each]}, ${origin(each)}`);
  }
  const [who] = reasons;
  if (who === undefined) return open;
  findings.violation(
    subject,
    `ipAccessList lets in ${who}, by ${source}; name the networks that need access, or add it to the setting allow.`,
  );
  return undefined;
}

/** Many narrow networks together may be the whole internet. */
function judgeTotal(
  subject: Subject,
  entries: readonly Ranges[],
  { values, origin }: Values,
  findings: Findings,
): void {
  for (const { family, title, each, total } of FAMILIES) {
    const open = entries.flatMap((entry) => (entry[family]?.length ? [entry[family]] : []));
    // A single network may be as wide as its own setting says.
    const bound = values[each] < values[total] ? each : total;
    const prefix = prefixOf(family, open.flat());
    if (prefix >= values[bound] && !isEverybody(family, open.flat())) continue;
    const who = isEverybody(family, open.flat())
      ? "everybody"
      : `as many ${title} addresses as a /${Number(prefix.toFixed(2))} network, wider than /${values[bound]}, ${origin(bound)}`;
    findings.violation(
      subject,
      `ipAccessList lets in ${who}, by its ${open.length} entries together; name the networks that need access, or add them to the setting allow.`,
    );
  }
}

export const noOpenAccess = createPolicy({
  name: "no-open-access",
  level: "mandatory",
  description: "No access list lets in the whole internet, or networks that are wider than the settings allow.",
  reason: "A database that all can reach will be tried by all.",
  settings: schema,
  kinds: ["Service"],
  judge,
  judgeUndeclared: judge,
  good: {
    resources: [
      {
        kind: "Service",
        name: "analytics",
        args: { ipAccessList: [{ source: "203.0.113.0/24", description: "office" }] },
      },
    ],
  },
  bad: {
    resources: [
      {
        kind: "Service",
        name: "analytics",
        args: {
          ipAccessList: [
            { source: "0.0.0.0/0", description: "for a moment" },
            { source: "2001::/16", description: "partner" },
          ],
        },
      },
    ],
  },
});
