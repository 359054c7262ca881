import { isDeepStrictEqual } from "node:util";
import type { CreationJournal } from "../core/journal/creation-journal";
import type { Checked } from "../core/object/check";
import type {
  CheckRequest,
  Context,
  Found,
  ManagedObject,
  Resource,
} from "../core/object/resource";
import { PartialFailure } from "../core/object/user-error";
import type { Session } from "../core/session/session";
import {
  markedArguments,
  markedPaths,
  nullFromCreation,
  type Place,
  type Properties,
  secretPaths,
  valueAt,
  withoutAbsent,
  withValue,
} from "../fields";
import {
  markInputs,
  markState,
  secretPathsWithin,
  withoutInternals,
  withReferenceNames,
  withReferenceValues,
} from "../fields/conversions";
import { EMPTY, ENTRY, SECRETS, URN } from "../names";

/** Properties from an engine: plain values, and the places that are marked as secret. */
export interface Received {
  readonly properties: Properties;
  /** Default: the places that a class lists. */
  readonly marked?: unknown;
}

/** The differences between the adapters. */
interface CodecOptions {
  /**
   * False if the engine passes plain values, and marks an output like the argument with its name.
   */
  readonly acceptsSecrets: boolean;
  /** The members that an adapter adds to inputs and states. */
  readonly inputMembers?: Properties;
  readonly stateMembers: Properties;
}

export type Codec = ReturnType<typeof createCodec>;

/**
 * Converts properties between an engine and the core, for one request. Decoding resolves marks,
 * references and internal members, and registers secrets. Encoding marks the table's secrets,
 * whatever the program marks.
 */
export function createCodec(
  { addSecretsOf }: Pick<Session, "addSecretsOf">,
  resource: Resource,
  { acceptsSecrets, inputMembers = {}, stateMembers }: CodecOptions,
) {
  const resolve = (properties: Properties) => withReferenceValues(resource, properties);
  const named = (properties: Properties) => withoutAbsent(withReferenceNames(resource, properties));

  function withMarked({ properties, marked = properties[SECRETS] }: Received): Properties {
    const args = withoutInternals(properties);
    return withValue(args, [SECRETS], markedArguments(resource, args, marked));
  }

  /** Resolves references, and registers secrets. */
  function register(properties: Properties): Properties {
    const resolved = resolve(properties);
    addSecretsOf(resource, properties, resolved);
    return resolved;
  }

  const decodeInputs = (received: Received) => register(withMarked(received));

  function journalOf(journal: CreationJournal): CreationJournal {
    return {
      ...journal,
      async find(identity, inputs) {
        const earlier = await journal.find(
          identity,
          inputs && withReferenceNames(resource, inputs),
        );
        return earlier?.inputs ? { ...earlier, inputs: resolve(earlier.inputs) } : earlier;
      },
      begin: (identity, { inputs, ...facts }) =>
        journal.begin(identity, { ...facts, inputs: withReferenceNames(resource, inputs) }),
    };
  }

  const secretsIn = (inputs: Properties) => [
    ...secretPaths(resource, inputs),
    ...markedPaths(resource, inputs),
  ];

  /**
   * Inputs in their stored form. If the engine passes no marks, a list of names replaces them, and
   * only the plain places are marked.
   */
  function encodeInputs(inputs: Properties, plainPlaces: readonly Place[]): Properties {
    const { [SECRETS]: _, ...withoutNames } = inputs;
    const marked = acceptsSecrets
      ? markInputs(withoutNames, secretsIn(inputs))
      : markInputs(inputs, plainPlaces);
    return { ...marked, ...inputMembers };
  }

  /** Earlier values of secret arguments may be in `inputs` and `known`. */
  function encodeState(
    state: Properties,
    inputs: Properties = state,
    ...known: readonly Properties[]
  ): Properties {
    const stored = { ...nullFromCreation(resource), ...named(state) };
    // An engine that passes no marks marks declared arguments itself, and would nest marks from
    // here in its own. Only undeclared arguments need a mark.
    const needsMark = (place: Place) => acceptsSecrets || valueAt(inputs, place) === undefined;
    const places = secretsIn(stored).filter(needsMark);
    return { ...markState(resource, stored, [inputs, ...known], places), ...stateMembers };
  }

  return {
    /** The context with a journal that stores inputs in the engine's form. */
    contextFor(context: Context): Context {
      return { ...context, journal: () => journalOf(context.journal()) };
    },

    decodeCheck(
      name: string,
      { properties, marked = properties[SECRETS] }: Received,
      old: Properties,
    ): CheckRequest {
      const oldInputs = withoutInternals(old);
      decodeInputs({ properties, marked });
      decodeInputs({ properties: old });
      return {
        name,
        inputs: withoutInternals(properties),
        oldInputs: Object.keys(oldInputs).length > 0 ? oldInputs : undefined,
        marked,
        emptyArgument: properties[EMPTY],
        resolve,
      };
    },

    /** The inputs that a check returns, with the table's secrets marked. */
    encodeChecked({ inputs }: Checked, { marked }: CheckRequest): Properties {
      return encodeInputs(inputs, secretPathsWithin(resource, inputs, marked));
    },

    decodeInputs,

    decodeObject(id: string, { [ENTRY]: _, [URN]: __, ...state }: Properties): ManagedObject {
      return { id, state: register(state) };
    },

    encodeState,

    /** Encodes the result of an operation or of a partial failure. */
    async encodeResult(
      operation: Promise<ManagedObject>,
      ...known: readonly Properties[]
    ): Promise<ManagedObject> {
      try {
        const { id, state } = await operation;
        return { id, state: encodeState(state, ...known) };
      } catch (error) {
        throw error instanceof PartialFailure
          ? new PartialFailure(error.id, encodeState(error.state, ...known), error.coded)
          : error;
      }
    },

    encodeFound({ state, inputs }: Found, former: Properties): Found {
      const stored = named(inputs);
      return {
        state: encodeState(state, stored, former),
        inputs: encodeInputs(stored, []),
      };
    },
  };
}

/** True if the arguments are equal, apart from internal members. */
export function areSameArguments(one: Properties, other: Properties): boolean {
  return isDeepStrictEqual(withoutInternals(one), withoutInternals(other));
}
