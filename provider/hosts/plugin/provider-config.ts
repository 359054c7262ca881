import type { CheckRequest } from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { readSettings, type SettingKey, settingsTable } from "../../core/settings";
import type { Message } from "../../errors";
import { describeUnknown, describeUnknownKeys, type Properties, UNKNOWN } from "../../fields";
import { PROVIDER_KEYS, parseUrn } from "../../names";
import { decode, encode } from "./values";

/*
 * The settings in an engine's requests about the provider itself.
 */

const settingNames = Object.keys(settingsTable);
const secretSettings = Object.entries(settingsTable).flatMap(([name, setting]) =>
  "secret" in setting ? [[name]] : [],
);

/** The configured values by the keys of settings. An unknown one counts as absent. */
export function settingIn(args: Properties): (key: string) => unknown {
  return (key) => {
    const value = args[key.slice(key.indexOf(":") + 1) as SettingKey];
    return value === UNKNOWN ? undefined : value;
  };
}

/** A default provider has the stack's configuration, an explicit one the program's arguments. */
export function isDefaultProvider(urn: string): boolean {
  return /^default(_|$)/.test(parseUrn(urn).name);
}

/** Checks the arguments of an explicit provider, or, of a default one, the stack's configuration. */
export function checkConfig(
  request: CheckRequest,
  environment: Readonly<Record<string, string | undefined>>,
  warn: (line: Message) => void,
): { readonly inputs: Struct; readonly reasons: Message[] } {
  const args = decode(request.getNews());
  const { project, name } = parseUrn(request.getUrn());
  const names = Object.keys(args);
  const isDefault = isDefaultProvider(request.getUrn());
  if (isDefault) describeUnknownKeys(project, names, settingNames).forEach(warn);
  const unknown = isDefault ? [] : describeUnknown(`Provider "${name}"`, names, [...settingNames, ...PROVIDER_KEYS]);
  const { problems, sharingProblems } = readSettings(settingIn(args), environment);
  return { inputs: encode(args, secretSettings), reasons: [...unknown, ...problems, ...sharingProblems] };
}
