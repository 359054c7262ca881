import ipaddr from "ipaddr.js";
import { networkOf, UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { withStacks } from "../policy/settings";

const prefix = (most: number) => {
  const error = `use the length of a network's prefix, a whole number from 0 to ${most}`;
  return z.number(error).int(error).min(0, error).max(most, error);
};
const network = z
  .string("use a network such as 203.0.113.0/24")
  .refine((text) => networkOf(text) !== undefined, "use a network such as 203.0.113.0/24");

export const noOpenAccess = createPolicy({
  name: "no-open-access",
  level: "mandatory",
  description: "No access list lets in the whole internet, or networks that are wider than the settings allow.",
  reason: "A database that all can reach will be tried by all.",
  settings: withStacks({
    widestPrefix: prefix(32).default(8).describe("The shortest prefix of an IPv4 network; 8 is the default."),
    widestPrefixIpv6: prefix(128).default(32).describe("The shortest prefix of an IPv6 network; 32 is the default."),
    allow: z.array(network).default([]).describe("Networks that are allowed however wide they are."),
  }),
  kinds: ["Service"],
  judge(subject, { values, origin }, findings) {
    const list = subject.inputs.ipAccessList;
    const allowed = new Set(values.allow.map(networkOf));
    if (list === UNKNOWN) findings.unchecked(subject, "ipAccessList is not known yet");
    for (const entry of Array.isArray(list) ? list : []) {
      const source: unknown = entry === UNKNOWN ? UNKNOWN : entry?.source;
      if (source === UNKNOWN) {
        findings.unchecked(subject, "an entry of ipAccessList is not known yet");
        continue;
      }
      const canonical = typeof source === "string" ? networkOf(source) : undefined;
      if (canonical === undefined) {
        findings.violation(
          subject,
          `ipAccessList has ${JSON.stringify(source)}, which is no address or network; use one such as 203.0.113.0/24.`,
        );
        continue;
      }
      const { key, length } = widthOf(canonical);
      if (allowed.has(canonical) || (length > 0 && length >= values[key])) continue;
      const who = length === 0 ? "everybody" : `a network wider than /${values[key]}, ${origin(key)}`;
      findings.violation(
        subject,
        `ipAccessList lets in ${who}, by ${source}; name the networks that need access, or add it to the setting allow.`,
      );
    }
  },
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

/** Where IPv6 has a place for every IPv4 address: mapped, compatible, and translated. */
const EMBEDDED = ["::ffff:0:0", "::", "64:ff9b::"].map((address) => ipaddr.IPv6.parse(address));

/** How wide a network is, and which setting is about it: a network of embedded IPv4 addresses is one of those. */
function widthOf(canonical: string): { readonly key: "widestPrefix" | "widestPrefixIpv6"; readonly length: number } {
  const [address, length] = ipaddr.parseCIDR(canonical);
  if (address.kind() === "ipv4") return { key: "widestPrefix", length };
  const isEmbedded = length >= 96 && EMBEDDED.some((place) => (address as ipaddr.IPv6).match(place, 96));
  return isEmbedded ? { key: "widestPrefix", length: length - 96 } : { key: "widestPrefixIpv6", length };
}
