/*
 * The used parts of Pulumi's SDK. The SDK's index also loads a compiler and npm's resolver, which
 * take longer than the rest of a program and are only needed for functions in the state.
 */
export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export * as log from "@pulumi/pulumi/log";
export * from "@pulumi/pulumi/output";
export * from "@pulumi/pulumi/resource";
export { allConfig, getConfig } from "@pulumi/pulumi/runtime/config";
export { invoke } from "@pulumi/pulumi/runtime/invoke";
export { getProject, isDryRun } from "@pulumi/pulumi/runtime/settings";
export { getStackResource } from "@pulumi/pulumi/runtime/stack";
