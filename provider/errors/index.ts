/*
 * The catalogue of errors, warnings and notices. Each has a code for good: users search for it, so it never changes its
 * meaning, and the code of a message that has gone is not used again. docs/errors.md is generated from this folder.
 */
import { argumentMessages } from "./arguments";
import { objectMessages } from "./objects";
import { pluginMessages } from "./plugin";
import { requestMessages } from "./requests";
import { settingMessages } from "./settings";
import type { CodeOf } from "./types";

const MESSAGES = {
  ...argumentMessages,
  ...settingMessages,
  ...requestMessages,
  ...objectMessages,
  ...pluginMessages,
};

type Key = keyof typeof MESSAGES;
export type ErrorCode = CodeOf<Key>;
/** A text for users. It ends with its code. */
export type Message = `${string} [CDB${number}]`;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never;
type Values<Name extends string> = Readonly<Record<Name, string | number>>;
/** Nothing for a text without placeholders. */
type ValuesOf<Text, Name extends string = Placeholders<Text>> = [Name] extends [never] ? [] : [values: Values<Name>];

/** A message of the catalogue. */
export function message<K extends Key>(key: K, ...[values]: ValuesOf<(typeof MESSAGES)[K]>): Message {
  return withCode(key.replace(/\..*/, "") as ErrorCode, fill(MESSAGES[key], values));
}

export function withCode(code: ErrorCode, text: string): Message {
  return `${text} [${code}]`;
}

const CODE = / \[(CDB\d{4})\]$/;

export function codeOf(coded: Message): ErrorCode {
  return CODE.exec(coded)?.[1] as ErrorCode;
}

/** The message without its code, to be a part of another one. */
export function textOf(coded: string): string {
  return coded.replace(CODE, "");
}

/** The message with one more sentence before its code. */
export function withSentence<Coded extends string>(coded: Coded, sentence: string): Coded {
  const text = textOf(coded);
  return `${text} ${sentence}${coded.slice(text.length)}` as Coded;
}

/** The advice that ends the message about a failed request. */
export function adviceOn(code: ErrorCode, values: Values<"address" | "credentials" | "origin">): string {
  const texts: Readonly<Record<string, string>> = MESSAGES;
  return fill(texts[`${code}.advice`] ?? "", values);
}

function fill(text: string, values: Values<string> = {}): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
