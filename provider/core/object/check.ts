import { canonicalId } from "pulumi-clouddb-facts";
import { coded, type Message } from "../../errors";
import {
  type CheckResult,
  check as checkArguments,
  diff as diffArguments,
  fieldPathsOf,
  hasUnknown,
  isRecord,
  markedArguments,
  newLists,
  type Properties,
  recordDeclared,
  trimTexts,
  UNKNOWN,
  valueAt,
  withFingerprints,
  withoutAbsent,
  withValue,
} from "../../fields";
import { FINGERPRINTS, parseUrn, REFUSED, SECRETS } from "../../names";
import { missingSettings } from "../session/create-client";
import { fingerprintsOf } from "../session/secret-values";
import type { SettingKey } from "../session/settings";
import { describeKey } from "./encrypted-password";
import { isMissingOrganization } from "./ids";
import { describeAdoption, describeEmptyId, describeNamesakes } from "./preview-messages";
import type { CheckRequest, Context, Resource } from "./resource";

export interface Checked {
  /**
   * The inputs to apply and store. Policies see them, so `REFUSED` only names arguments with
   * problems.
   */
  readonly inputs: Properties;
  /** Messages without argument names: the engine would print the value of a named argument. */
  readonly reasons: readonly Message[];
}

/**
 * Validates and completes the inputs without a request. Order matters: settings and defaults
 * complete the inputs, and the resource claims its object before the next check.
 */
export function check(resource: Resource, context: Context, request: CheckRequest): Checked {
  const { owners, identity, redact } = context;
  const { name, oldInputs, autonaming = { mode: "propose", name } } = request;
  const { [FINGERPRINTS]: fingerprints } = request.inputs;
  // The engine restores stored fingerprints for `ignoreChanges`.
  const given = areStored(request)
    ? withValue(request.inputs, [FINGERPRINTS], undefined)
    : request.inputs;
  owners.declare(identity.urn);
  const { inputs: args, warnings } = trimTexts(
    resource,
    applySettings(resource, context, withoutAbsent(given)),
  );
  const defaults = resource.applyDefaults?.(
    oldInputs,
    args,
    autonaming,
    parseUrn(identity.urn).stack,
  );
  const { inputs: completed, warning, problem } = defaults ?? { inputs: args };
  const marked = markedArguments(resource, completed, request.marked);
  const checked = checkArguments(resource, oldInputs, completed, {
    ...context.settings().settings,
    marked,
  });
  for (const { code, text } of [...warnings, ...checked.warnings, ...(warning ? [warning] : [])])
    context.warn(coded(code, `${name}: ${text}`));
  if (oldInputs === undefined && request.emptyArgument === resource.id)
    context.warn(describeEmptyId(resource, name));
  announce(resource, context, oldInputs === undefined, completed);
  // A refused name of a variable may be the secret itself.
  const isSound = checked.problems.every((problem) => isMissingOrganization(problem, completed));
  const inputs = withFingerprints(
    withoutRefused(checked),
    isSound
      ? fingerprintsOf({ resource, context, inputs: checked.inputs }, oldInputs, fingerprints)
      : {},
  );
  const reasons = [
    ...settingProblems(resource, context, request, { ...checked, inputs }),
    ...[owners.claim(identity.urn, resource, completed), problem].filter(
      (reason) => reason !== undefined,
    ),
    ...argumentProblems(context, checked, completed),
  ];
  return {
    inputs: withValue(inputs, [SECRETS], marked),
    reasons: reasons.map(({ code, text }) => coded(code, redact(text))),
  };
}

/** True if the old inputs have the same fingerprints. */
function areStored({ inputs, oldInputs }: CheckRequest): boolean {
  const [given, state] = [inputs[FINGERPRINTS], oldInputs?.[FINGERPRINTS]];
  return (
    isRecord(given) &&
    isRecord(state) &&
    Object.entries(given).every(([name, print]) => state[name] === print)
  );
}

/** Problems in settings, and missing settings if a request is needed. */
function settingProblems(
  resource: Resource,
  context: Context,
  request: CheckRequest,
  checked: CheckResult,
): Message[] {
  const read = context.settings();
  const missing = missingSettings("management", read);
  const isNeeded = missing.length > 0 && needsRequest(resource, request, checked);
  return [...read.problems, ...read.previewProblems, ...(isNeeded ? missing : [])];
}

/** Problems in arguments. An organization that is not a UUID does not count as missing. */
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

/** Announces an adoption, and warns if another resource's object has the same name. */
function announce(resource: Resource, context: Context, isNew: boolean, inputs: Properties): void {
  if (isNew && resource.read !== undefined) announceAdoption(resource, context, inputs);
  if (resource.create !== undefined) warnOfNamesake(resource, context, inputs, isNew);
}

/**
 * Logs the adoption of an object. Resources that always adopt share a line, since updates repeat
 * each line, unless a list loses entries.
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
  context.log(describeAdoption(resource, object, isShared, lists));
  describeKey(context, object, {}, inputs);
}

function warnOfNamesake(
  { title }: Resource,
  context: Context,
  inputs: Properties,
  isNew: boolean,
): void {
  const { owners, identity, warn } = context;
  const { organizationId, name } = inputs;
  if (typeof name !== "string" || hasUnknown([name, organizationId])) return;
  const twin = owners.findNamesake(
    identity.urn,
    JSON.stringify([canonicalId(organizationId), name]),
    isNew,
  );
  if (twin !== undefined) warn(describeNamesakes(twin, parseUrn(identity.urn).name, title));
}

function withoutRefused({ inputs, problems }: CheckResult): Properties {
  const refused = [...new Set(problems.flatMap(({ argument }) => argument ?? []))];
  const rest = Object.fromEntries(
    Object.entries(inputs).filter(([name]) => !refused.includes(name)),
  );
  return refused.length > 0 ? { ...rest, [REFUSED]: refused } : rest;
}

/** True if an `up` certainly sends a request. An unknown value may equal the old value. */
function needsRequest(
  resource: Resource,
  request: CheckRequest,
  { problems, ...checked }: CheckResult,
): boolean {
  if (request.oldInputs === undefined) return true;
  const [oldInputs, inputs] = [request.oldInputs, checked.inputs].map(request.resolve) as [
    Properties,
    Properties,
  ];
  if (!problems.every((problem) => isMissingOrganization(problem, inputs))) return false;
  const { changed } = diffArguments(
    resource,
    recordDeclared(resource, oldInputs, oldInputs),
    inputs,
  );
  return changed.some(({ path }) => !hasUnknown(valueAt(inputs, path)));
}

/** The arguments, completed with settings. */
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
