import { HOW_TO_SET } from "../../core/connect";
import { settingsTable } from "../../core/settings";
import { coded, type Message, withSentence } from "../../errors";
import { parseUrn } from "../urn";

const KEY = new RegExp(`\\bclouddb:(${Object.keys(settingsTable).join("|")})\\b`, "g");

/** The codes of messages about settings without a value. */
const MISSING = ["CDB1002", "CDB2001"];

const NOT_FROM_STACK =
  "The stack's configuration reaches an explicit provider only through the npm package pulumi-clouddb.";

/**
 * Rewords messages for the provider with this URN. They name settings by their keys in the stack's configuration, which
 * only the default provider reads: for an explicit one, settings are arguments.
 */
export function messagesFor(providerUrn = ""): (message: Message) => Message {
  const { name } = parseUrn(providerUrn);
  const isDefault = name === "" || /^default(_|$)/.test(name);
  return (message) => {
    if (isDefault || message.text.search(KEY) < 0) return message;
    const text = message.text
      .replace(KEY, (_, key: string) => `${key} of provider ${JSON.stringify(name)}`)
      .replaceAll(HOW_TO_SET, "pass it as an argument or use the environment variable");
    const named = coded(message.code, text);
    return MISSING.includes(message.code) ? withSentence(named, NOT_FROM_STACK) : named;
  };
}
