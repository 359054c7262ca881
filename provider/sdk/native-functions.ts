import type * as dynamic from "../index";
import { nativeType } from "../names";
import { call, callOutput, type FunctionAdapter } from "./call";
import { RELEASE } from "./native";
import { memoize } from "./program";
import { configurationOf, knownConfiguration } from "./provider-configuration";
import { NATIVE } from "./provider-option";
import * as pulumi from "./pulumi";
import { errorWithoutStack } from "./pulumi-internals";

/** Functions that the plugin runs, each once per run of the program for the same provider and arguments. */
const adapter: FunctionAdapter = {
  ...NATIVE,
  async run(name, args, opts) {
    const configuration = configurationOf(opts);
    // With a provider that is not known yet, the engine would answer with nothing at all.
    if (configuration !== undefined) await knownConfiguration(configuration);
    const invoke = () => pulumi.invoke(nativeType(name), args, { ...RELEASE, ...opts });
    return memoize(`${name} ${JSON.stringify(args)}`, invoke, opts.provider).catch((error: Error) => {
      // A program's own error is printed without a stack, and the engine's words before the plugin's say nothing more.
      throw errorWithoutStack(error.message.replace(/^invocation of \S+ returned an error: /, ""));
    });
  },
};

export const getService: typeof dynamic.getService = (args, opts = {}) => call(adapter, "getService", args, opts);
export const getServiceOutput: typeof dynamic.getServiceOutput = (args, opts = {}) =>
  callOutput(adapter, "getService", args, opts);
export const getPipe: typeof dynamic.getPipe = (args, opts = {}) => call(adapter, "getPipe", args, opts);
export const getPipeOutput: typeof dynamic.getPipeOutput = (args, opts = {}) =>
  callOutput(adapter, "getPipe", args, opts);
export const getPipeSettings: typeof dynamic.getPipeSettings = (args, opts = {}) =>
  call(adapter, "getPipeSettings", args, opts);
export const getPipeSettingsOutput: typeof dynamic.getPipeSettingsOutput = (args, opts = {}) =>
  callOutput(adapter, "getPipeSettings", args, opts);
export const getAlert: typeof dynamic.getAlert = (args, opts = {}) => call(adapter, "getAlert", args, opts);
export const getAlertOutput: typeof dynamic.getAlertOutput = (args, opts = {}) =>
  callOutput(adapter, "getAlert", args, opts);
export const getDashboards: typeof dynamic.getDashboards = (opts = {}) => call(adapter, "getDashboards", {}, opts);
export const getDashboardsOutput: typeof dynamic.getDashboardsOutput = (opts = {}) =>
  callOutput(adapter, "getDashboards", {}, opts);
