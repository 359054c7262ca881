import { isDeepStrictEqual } from "node:util";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Environment } from "../../core/session/environment";
import { readSettings, settingsTable } from "../../core/session/settings";
import { type Properties, UNKNOWN } from "../../fields";
import { SECRET_ORGANIZATION, unknownArguments, unknownKeys } from "../../mistakes";
import { PROVIDER_KEYS, parseUrn } from "../../names";
import type { EngineLog } from "./engine-log";
import { checkResponse, decode, decodeMarked, encode } from "./values";

/* Handles the engine's requests about a provider's configuration. */

const secretSettings = Object.entries(settingsTable).flatMap(([name, setting]) =>
  "secret" in setting ? [[name]] : [],
);

/** Looks up configured values by setting. Unknown values count as absent. */
export function settingIn(args: Properties): (key: string) => unknown {
  return (key) => {
    const value = args[key.slice(key.indexOf(":") + 1)];
    return value === UNKNOWN ? undefined : value;
  };
}

/**
 * A default provider has the stack's configuration, an explicit provider the program's arguments.
 */
function isDefaultProvider(urn: string): boolean {
  return /^default(_|$)/.test(parseUrn(urn).name);
}

export function checkConfig(
  request: proto.CheckRequest,
  environment: Environment,
  log: EngineLog,
): proto.CheckResponse {
  const args = decode(request.getNews());
  const { project, name } = parseUrn(request.getUrn());
  const [names, known] = [Object.keys(args), Object.keys(settingsTable)];
  const isDefault = isDefaultProvider(request.getUrn());
  if (isDefault) unknownKeys(project, names, known).forEach(log.warn);
  const unknown = isDefault
    ? []
    : unknownArguments(`Provider "${name}"`, names, [...known, ...PROVIDER_KEYS]);
  const { problems, previewProblems } = readSettings(settingIn(args), environment);
  return checkResponse(encode(args, secretSettings), [...unknown, ...problems, ...previewProblems]);
}

/** A new address or key requires no replacement. */
export function diffConfig(request: proto.DiffRequest): proto.DiffResponse {
  const [old, wanted] = [decode(request.getOldInputs()), decode(request.getNews())];
  const names = Object.keys({ ...old, ...wanted });
  const changed = names.filter((name) => !isDeepStrictEqual(old[name], wanted[name]));
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  return new proto.DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList(changed);
}

/** Reads a provider's arguments, and the problems that fail all of its resources. */
export function readConfiguration(
  request: proto.ConfigureRequest,
  isNewProvider: boolean,
  log: EngineLog,
) {
  const { properties: args, marked } = decodeMarked(request.getArgs());
  // Until an `up`, the engine keeps a secret from the old state, even if the program is already
  // corrected.
  const secret = marked.includes("organizationId") ? [SECRET_ORGANIZATION] : [];
  if (!isNewProvider && isDefaultProvider(request.getUrn() ?? "")) secret.forEach(log.warn);
  return { args, problems: isNewProvider ? secret : [] };
}
