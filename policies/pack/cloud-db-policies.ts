import { type EnforcementLevel, PolicyPack } from "@pulumi/policy";
import type { z } from "zod";
import { policies } from "../rules";
import { configError, installHooks } from "./config";

type AnyPolicy = (typeof policies)[number];

/** Levels and settings by policy; `all` is the level of policies without a level of their own. */
export type CloudDbPoliciesConfig = { readonly all?: EnforcementLevel } & {
  readonly [Policy in AnyPolicy as Policy["name"]]?:
    | EnforcementLevel
    | (z.input<Policy["settings"]> & { readonly enforcementLevel?: EnforcementLevel });
};

/**
 * The policy pack of pulumi-clouddb, for a custom pack: `new CloudDbPolicies({ all: "mandatory" })` in its entry point.
 * A configuration file takes precedence over the levels and settings given here. To add policies, spread `policies`
 * into a `PolicyPack` instead.
 */
export class CloudDbPolicies extends PolicyPack {
  constructor(config: CloudDbPoliciesConfig = {}) {
    const entries = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
    const error = configError(entries);
    if (error !== undefined) exitWith(error);
    installHooks();
    super("pulumi-clouddb-policies", { policies: [...policies] }, entries);
  }
}

/** The engine shows the output of a pack that exits, but the stack trace of an error. */
function exitWith(message: string): void {
  console.error(message);
  process.exit(1);
}
