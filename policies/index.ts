import { installHooks } from "./cloud-db-policies";

// Validates the settings of custom packs, which import policies from here.
installHooks();

export { UNKNOWN } from "pulumi-clouddb-facts";
export { CloudDbPolicies } from "./cloud-db-policies";
export type { CloudDbPolicy } from "./core/policy";
export type { CloudDbPoliciesConfig } from "./policy-settings";
export * from "./rules";
export { type Judgement, judge } from "./testing/judge";
export type { Program, ProgramResource } from "./testing/program";
