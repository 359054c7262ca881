import { type EnforcementLevel, PolicyPack } from "@pulumi/policy";
import type { z } from "zod";
import { policies } from "../rules";
import { mistakeInConfig } from "./config";
import { watchConfiguration } from "./gate";

type AnyPolicy = (typeof policies)[number];

/** Levels and settings by policy; `all` is the level of those that have none of their own. */
export type CloudDbPoliciesConfig = { readonly all?: EnforcementLevel } & {
  readonly [Policy in AnyPolicy as Policy["name"]]?:
    | EnforcementLevel
    | (z.input<Policy["settings"]> & { readonly enforcementLevel?: EnforcementLevel });
};

/**
 * The policy pack of pulumi-clouddb, for packs of one's own: `new CloudDbPolicies({ all: "mandatory" })` in the entry
 * of the pack. A configuration file counts over what is given here. To add policies, spread `policies` into a
 * `PolicyPack` instead.
 */
export class CloudDbPolicies extends PolicyPack {
  constructor(config: CloudDbPoliciesConfig = {}) {
    const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
    const mistake = mistakeInConfig(given);
    if (mistake !== undefined) endWith(mistake);
    watchConfiguration();
    super("pulumi-clouddb-policies", { policies: [...policies] }, given);
  }
}

/** The engine shows what a pack prints before it ends, and a stack trace for what it throws. */
function endWith(sentence: string): void {
  console.error(sentence);
  process.exit(1);
}
