import { settingsTable } from "../../core/settings";
import { withSentence } from "../../errors";
import { HOW_TO_SET } from "../../errors/settings";
import { parseUrn } from "../../names";

const KEY = new RegExp(`\\bclouddb:(${Object.keys(settingsTable).join("|")})\\b`, "g");

const NOT_FROM_STACK =
  "The stack's configuration reaches an explicit provider only through the npm package pulumi-clouddb.";

/**
 * Rewords messages for the provider with this URN. They name settings by their keys in the stack's configuration, which
 * only the default provider reads: for an explicit one, settings are arguments.
 */
export function messagesFor(providerUrn = ""): (message: string) => string {
  const { name } = parseUrn(providerUrn);
  const isDefault = name === "" || /^default(_|$)/.test(name);
  return (message) => {
    if (isDefault || message.search(KEY) < 0) return message;
    const named = message
      .replace(KEY, (_, key: string) => `${key} of provider ${JSON.stringify(name)}`)
      .replaceAll(HOW_TO_SET, "pass it as an argument or use the environment variable");
    const isMissing = / is (not set|missing): /.test(message);
    return isMissing ? withSentence(named, NOT_FROM_STACK) : named;
  };
}
