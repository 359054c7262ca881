import { isRecord, UNKNOWN } from "pulumi-clouddb-facts";
import { FINGERPRINTS, SECRETS } from "../names";
import type { Definition, Properties } from "./field";
import { DECLARED } from "./known-values";
import { entriesOf } from "./list";
import { valueAt, withValue } from "./paths";
import { fingerprintPaths, leavesOf, Reference, VERSION, withFingerprints } from "./references";
import {
  asSecret,
  isText,
  leavesIn,
  markedFields,
  markedPaths,
  namesIn,
  type Place,
  secretOutputs,
  secretPaths,
} from "./secrets";

/*
 * Converts properties between their stored form and the core's form. Only the codec of the hosts
 * imports this file.
 */

/** Strips internal `__` properties. */
export function withoutInternals(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

const VERSION_PRINT = "version ";

/** Properties in the core's form, with a `Reference` in place of each secret. */
export function withReferenceValues(definition: Definition, properties: Properties): Properties {
  const { [FINGERPRINTS]: fingerprints, [VERSION]: version, ...rest } = properties;
  const known = isRecord(fingerprints) ? fingerprints : {};
  let values: Properties = rest;
  for (const { name, path, twinPath } of leavesOf(definition)) {
    const named = valueAt(rest, twinPath);
    // Skips parts of unknown values.
    if (typeof named !== "string" || valueAt(rest, twinPath.slice(0, -1)) === UNKNOWN) continue;
    const isUnknown = named === UNKNOWN || version === UNKNOWN;
    const knownPrint = version === undefined ? known[name] : `${VERSION_PRINT}${version}`;
    const print = isUnknown ? UNKNOWN : knownPrint;
    const reference = new Reference(named, typeof print === "string" ? print : undefined);
    values = withValue(withValue(values, path, reference), twinPath, undefined);
  }
  return values;
}

/**
 * Properties in their stored form: variable names, with fingerprints or a version. Reverses
 * `withReferenceValues`.
 */
export function withReferenceNames(definition: Definition, values: Properties): Properties {
  let properties = values;
  const fingerprints: Record<string, string> = {};
  for (const { name, path, twinPath } of leavesOf(definition)) {
    const reference = valueAt(values, path);
    if (!(reference instanceof Reference)) continue;
    const { fingerprint, variable } = reference;
    properties = withValue(withValue(properties, twinPath, variable), path, undefined);
    if (fingerprint?.startsWith(VERSION_PRINT)) {
      properties = { ...properties, [VERSION]: fingerprint.slice(VERSION_PRINT.length) };
    } else if (fingerprint !== undefined) fingerprints[name] = fingerprint;
  }
  return withFingerprints(properties, fingerprints);
}

/** The inputs with secrets at these places, and each fingerprint as a secret by itself. */
export function markInputs(inputs: Properties, places: readonly Place[]): Properties {
  return markSecrets(inputs, [...places, ...fingerprintPaths(inputs)]);
}

/**
 * The places of secret arguments. A secret inside a marked value is covered by that mark: Pulumi's
 * SDK would show a nested mark to programs as an object.
 */
export function secretPathsWithin(
  definition: Definition,
  inputs: Properties,
  marked: unknown,
): Place[] {
  const wholes = entriesOf(marked).map((place) => String(place).split("."));
  const isWithin = (path: Place) => (whole: Place) =>
    whole.every((name, index) => path[index] === name);
  return secretPaths(definition, inputs).map((path) => wholes.find(isWithin(path)) ?? path);
}

/**
 * The state with marks for secret outputs, for outputs that show marked arguments, and for `more`
 * places.
 */
export function markState(
  definition: Definition,
  state: Properties,
  known: readonly Properties[],
  more: readonly Place[] = [],
): Properties {
  return markSecrets(state, [
    ...fingerprintPaths(state),
    ...secretOutputs(definition),
    ...placesOfMarked(definition, state, known),
    ...more,
  ]);
}

/**
 * The places that show marked arguments under other names: their outputs, and each API value that
 * contains one of their texts (a list as a whole). Inputs and former state may have further texts.
 */
function placesOfMarked(
  definition: Definition,
  state: Properties,
  known: readonly Properties[],
): Place[] {
  if (namesIn(state, SECRETS).length === 0) return [];
  const shown = markedFields(definition, state).flatMap(({ path, apiPath }): Place[] =>
    Object.entries(definition.outputs)
      .filter(([, { apiName }]) => apiName === apiPath[0])
      .map(([output]) => [output, ...path.slice(1)]),
  );
  const texts = markedPaths(definition, state).flatMap((path) =>
    [state, ...known].flatMap((properties) => leavesIn(valueAt(properties, path)).filter(isText)),
  );
  const inputs = namesIn(state, DECLARED).map((name) => name.split(".")[0]);
  const fromApi = Object.keys(state).filter(
    (name) => !name.startsWith("__") && !inputs.includes(name),
  );
  return [...shown, ...fromApi.flatMap((name) => placesWith(texts, state[name], [name]))];
}

export function markSecrets(properties: Properties, places: readonly Place[]): Properties {
  let marked: Properties = { ...properties };
  for (const place of places) {
    const value = valueAt(properties, place);
    // Skips parts of unknown values.
    const isReached = value !== undefined && valueAt(properties, place.slice(0, -1)) !== UNKNOWN;
    if (isReached) marked = withValue(marked, place, asSecret(value));
  }
  return marked;
}

/** Shorter texts occur in unrelated values. */
const MIN_LENGTH = 3;

/** The places where a value contains one of the texts. */
function placesWith(texts: readonly string[], value: unknown, place: Place): Place[] {
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, inner]) =>
      placesWith(texts, inner, [...place, name]),
    );
  const isShown = (text: string, leaf: string) =>
    leaf === text || (text.length >= MIN_LENGTH && leaf.includes(text));
  const leaves = leavesIn(value).filter(isText);
  return texts.some((text) => leaves.some((leaf) => isShown(text, leaf))) ? [place] : [];
}
