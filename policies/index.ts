import { installHooks } from "./cloud-db-policies";

// A custom pack imports the policies from here; its settings are validated like ours.
installHooks();

export { UNKNOWN } from "pulumi-clouddb-facts";
export { CloudDbPolicies } from "./cloud-db-policies";
export type { CloudDbPolicy } from "./core/policy";
export type { CloudDbPoliciesConfig } from "./policy-settings";
export * from "./rules";
export { type Judgement, judge } from "./testing/judge";
export type { Program, ProgramResource } from "./testing/program";
