import { coded, type Message } from "../errors";
import {
  type CheckResult,
  check as checkArguments,
  diff as diffArguments,
  fieldPathsOf,
  fingerprintPaths,
  hasUnknown,
  isRecord,
  markedArguments,
  markSecrets,
  newLists,
  type Properties,
  recordDeclared,
  UNKNOWN,
  valueAt,
  withFingerprints,
  withoutAbsent,
  withReferenceValues,
  withValue,
} from "../fields";
import { FINGERPRINTS, parseUrn, REFUSED, SECRETS } from "../names";
import { missingSettings } from "./connect";
import { describeKey } from "./encrypted-password";
import { isMissingOrganization } from "./ids";
import type { Autonaming, Context, Resource } from "./resource";
import { fingerprintsOf } from "./secret-values";
import type { SettingKey } from "./settings";

export interface Checked {
  /**
   * The inputs to be applied and stored. Policies see them, so an argument with a problem is only named, under
   * `REFUSED`.
   */
  readonly inputs: Properties;
  /**
   * The only part of a problem that adapters pass to the engine, which prints the value of an argument that a problem
   * names.
   */
  readonly reasons: readonly Message[];
}

/**
 * Validates and completes the declared arguments, without a request. `name` is the resource's in the program.
 *
 * The order matters: settings and defaults complete the arguments, all secrets are known before the first message, and
 * the resource claims its object before another resource is checked.
 */
export function check(
  resource: Resource,
  context: Context,
  name: string,
  olds: Properties,
  news: Properties,
  autonaming: Autonaming = { mode: "propose", name },
): Checked {
  const { owners, identity, redact } = context;
  const { [SECRETS]: _, ...oldInputs } = userArguments(olds);
  const { [SECRETS]: places, ...given } = userArguments(news);
  // For `ignoreChanges`, the engine has put the stored fingerprints into the arguments.
  const newInputs = areStored(given, oldInputs)
    ? withValue(given, [FINGERPRINTS], undefined)
    : given;
  owners.declare(identity.urn);
  const args = applySettings(resource, context, withoutAbsent(newInputs));
  const defaults = resource.applyDefaults?.(
    oldInputs,
    args,
    autonaming,
    parseUrn(identity.urn).stack,
  );
  const { inputs: completed, warning, problem } = defaults ?? { inputs: args };
  const marked = markedArguments(resource, completed, places);
  const references = [completed, oldInputs].map((properties) =>
    withReferenceValues(resource, properties),
  );
  context.addSecretsOf(resource, withValue(completed, [SECRETS], marked), olds, ...references);
  const checked = checkArguments(resource, oldInputs, completed, {
    ...context.settings().settings,
    marked,
  });
  for (const { code, text } of [...checked.warnings, ...(warning ? [warning] : [])])
    context.warn(coded(code, `${name}: ${text}`));
  announce(resource, context, oldInputs, completed);
  // A variable's name that is refused may be the secret itself.
  const isSound = checked.problems.every((problem) => isMissingOrganization(problem, completed));
  const fingerprints = isSound
    ? fingerprintsOf(
        { resource, context, declared: checked.inputs },
        oldInputs,
        given[FINGERPRINTS],
      )
    : {};
  const inputs = withFingerprints(withoutRefused(checked), fingerprints);
  const reasons = [
    ...settingProblems(resource, context, oldInputs, { ...checked, inputs }),
    ...[owners.claim(identity.urn, resource, completed), problem].filter(
      (reason) => reason !== undefined,
    ),
    ...argumentProblems(context, checked, completed),
  ];
  return {
    inputs: withValue(markSecrets(inputs, fingerprintPaths(inputs)), [SECRETS], marked),
    reasons: reasons.map(({ code, text }) => coded(code, redact(text))),
  };
}

/** True for fingerprints that the inputs have, or some of them. */
function areStored(
  { [FINGERPRINTS]: given }: Properties,
  { [FINGERPRINTS]: stored }: Properties,
): boolean {
  return (
    isRecord(given) &&
    isRecord(stored) &&
    Object.entries(given).every(([name, print]) => stored[name] === print)
  );
}

/** The problems of settings, and the settings that a request would need. */
function settingProblems(
  resource: Resource,
  context: Context,
  oldInputs: Properties,
  checked: CheckResult,
): Message[] {
  const read = context.settings();
  const missing = missingSettings("management", read);
  const isNeeded = missing.length > 0 && needsRequest(resource, oldInputs, checked);
  return [...read.problems, ...read.previewProblems, ...(isNeeded ? missing : [])];
}

/** The problems of arguments. An organization that is set, but not to a UUID, does not count as missing. */
function argumentProblems(
  context: Context,
  { problems }: CheckResult,
  inputs: Properties,
): Message[] {
  const isRefused = context.settings().refused.has("organizationId");
  return problems
    .filter((problem) => !(isRefused && isMissingOrganization(problem, inputs)))
    .map(({ reason }) => reason);
}

/** Names the object that a new resource adopts, and another resource with the same name. */
function announce(
  resource: Resource,
  context: Context,
  oldInputs: Properties,
  inputs: Properties,
): void {
  const isNew = Object.keys(oldInputs).length === 0;
  if (isNew && resource.read !== undefined) announceAdoption(resource, context, inputs);
  if (resource.create !== undefined) warnOfNamesake(resource, context, inputs, isNew);
}

/**
 * Logs which object a new resource adopts. Resources that always adopt share a line, except of lists that lose entries:
 * an update prints each line more than once.
 */
function announceAdoption(resource: Resource, context: Context, inputs: Properties): void {
  const { title, id, create, lifecycle } = resource;
  const existingId = inputs[id];
  if (typeof existingId !== "string" || existingId === UNKNOWN) return;
  const object = `${title} ${existingId}`;
  const lists = lifecycle
    ? []
    : newLists(resource, {}, inputs).map(({ fieldPath }) => fieldPath.name);
  const isShared = create === undefined && lists.length === 0;
  if (!context.owners.isFirst(`adopt ${isShared ? title : object}`)) return;
  const action = lifecycle?.adoption ?? "compares it with the program and changes what differs";
  const others = isShared ? ", and each further one" : "";
  const adopted = `Adopting ${object}${others}: \`pulumi up\` reads it, ${action}; a preview reads nothing.`;
  const effect = ` Entries of ${lists.join(" and ")} that the program does not declare are removed.`;
  context.log(coded("CDB5009", lists.length > 0 ? adopted + effect : adopted));
  describeKey(context, object, {}, inputs);
}

/** Warns if another resource of the program declares the same name. */
function warnOfNamesake(
  { title }: Resource,
  context: Context,
  inputs: Properties,
  isNew: boolean,
): void {
  const { owners, identity, warn } = context;
  const { organizationId, name } = inputs;
  if (typeof name !== "string" || hasUnknown([name, organizationId])) return;
  const twin = owners.findNamesake(identity.urn, JSON.stringify([organizationId, name]), isNew);
  if (twin === undefined) return;
  const both = `"${twin}" and "${parseUrn(identity.urn).name}" declare the same name for a ${title}`;
  warn(
    coded(
      "CDB1017",
      `${both}. The API allows that, but nobody can tell the two apart: give one of them another name.`,
    ),
  );
}

/** The inputs with the names of invalid arguments instead of their values. */
function withoutRefused({ inputs, problems }: CheckResult): Properties {
  const refused = [...new Set(problems.flatMap(({ argument }) => argument ?? []))];
  const rest = Object.fromEntries(
    Object.entries(inputs).filter(([name]) => !refused.includes(name)),
  );
  return refused.length > 0 ? { ...rest, [REFUSED]: refused } : rest;
}

/** True where an `up` would certainly send a request. An unknown value may turn out to be the old one. */
function needsRequest(
  resource: Resource,
  olds: Properties,
  { inputs: news, problems }: CheckResult,
): boolean {
  if (Object.keys(olds).length === 0) return true;
  const [oldInputs, inputs] = [olds, news].map((properties) =>
    withReferenceValues(resource, properties),
  ) as [Properties, Properties];
  if (!problems.every((problem) => isMissingOrganization(problem, inputs))) return false;
  const { changed } = diffArguments(
    resource,
    recordDeclared(resource, oldInputs, oldInputs),
    inputs,
  );
  return changed.some(({ path }) => !hasUnknown(valueAt(inputs, path)));
}

/** The arguments with the settings that stand in for undeclared ones. */
export function applySettings(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Properties {
  const { settings } = context.settings();
  let args = inputs;
  for (const { path, field } of fieldPathsOf(resource.fields)) {
    const setting = field.setting === undefined ? undefined : settings[field.setting as SettingKey];
    if (setting !== undefined && valueAt(args, path) === undefined)
      args = withValue(args, path, setting);
  }
  return args;
}

/** Strips internal `__` properties, except the names of arguments that are marked as secret. */
export function userArguments(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => name === SECRETS || !name.startsWith("__")),
  );
}
