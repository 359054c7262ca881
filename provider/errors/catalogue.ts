import { argumentExplanations, argumentMessages } from "./arguments";
import { objectExplanations, objectMessages } from "./objects";
import { pluginExplanations, pluginMessages } from "./plugin";
import { requestExplanations, requestMessages } from "./requests";
import { settingExplanations, settingMessages } from "./settings";
import type { Explanation } from "./types";

/** A part of the catalogue with its documentation. */
export interface Area {
  readonly messages: Readonly<Record<string, string>>;
  readonly explanations: Readonly<Record<string, Explanation>>;
}

/** The whole catalogue, for the page that is generated from it. */
export const areas = {
  arguments: { messages: argumentMessages, explanations: argumentExplanations },
  settings: { messages: settingMessages, explanations: settingExplanations },
  requests: { messages: requestMessages, explanations: requestExplanations },
  objects: { messages: objectMessages, explanations: objectExplanations },
  plugin: { messages: pluginMessages, explanations: pluginExplanations },
} as const satisfies Record<string, Area>;
