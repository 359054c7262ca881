/*
 * What this package uses of Pulumi's SDK. The index of the SDK also loads a compiler and npm's resolver, which take
 * longer than everything else that a program loads, and which only functions stored in the state need.
 */
export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export * as log from "@pulumi/pulumi/log";
export * from "@pulumi/pulumi/output";
export * from "@pulumi/pulumi/resource";
export { getConfig } from "@pulumi/pulumi/runtime/config";
export { invoke } from "@pulumi/pulumi/runtime/invoke";
export { getStackResource } from "@pulumi/pulumi/runtime/stack";
