import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../api";
import { ApiError, NotFoundError } from "../api/errors";
import { coded, type Message, withSentence } from "../errors";
import {
  assumeListsAccepted,
  DECLARED,
  diff,
  foreignEntries,
  forgetUncertain,
  forgetUnobservable,
  inputsFromState,
  invalidFields,
  type Properties,
  recordDeclared,
  stateAfterCreate,
  stateAfterRead,
} from "../fields";
import { SECRETS } from "../names";
import { applyUpdates, describeShortfall, type UpdateOutcome, type UpdateTarget } from "./apply-updates";
import type { EarlierCreation, RecordedAddition } from "./creation-journal";
import type { Created, HandlerDependencies, ResourceDeclaration } from "./resource-type";
import {
  describeDifference,
  describeFailure,
  describeForeignEntries,
  describeInvalidFields,
  PartialFailure,
  UserError,
} from "./user-error";

/** Operations by the verb that begins sentences; an urgent one has created an object that is not stored yet. */
const ACTIONS = {
  create: { verb: "Creating", isUrgent: true },
  adopt: { verb: "Adopting", isUrgent: false },
  add: { verb: "Adding", isUrgent: false },
  remove: { verb: "Removing", isUrgent: false },
  update: { verb: "Updating", isUrgent: false },
  read: { verb: "Reading", isUrgent: false },
} as const;
type Action = keyof typeof ACTIONS;

/**
 * The mark of a state that may be wrong: a request was sent, and its outcome is unknown. It holds the names of the
 * arguments that the request carried.
 */
export const UNCERTAIN = "__uncertain";

/** Where a state keeps the token of the journal's record of its last added entries. Permanent. */
export const ADDED = "__added";

/** The name of an object in sentences: `service 3f0c… ("analytics")`. Only what the stack may create is told by its name. */
export function displayName({ title, creation }: ResourceDeclaration, id: string, { name }: Properties): string {
  return creation === undefined || name === undefined ? `${title} ${id}` : `${title} ${id} (${JSON.stringify(name)})`;
}

/** Records what is about to be added to a state. */
export type BeginAddition = (start: Properties) => Promise<RecordedAddition | undefined>;

/** One object on the server, for one operation. */
export class RemoteObject {
  readonly #type: ResourceDeclaration;
  readonly #dependencies: HandlerDependencies;
  readonly #id: string;
  readonly #properties: Properties;
  readonly #beginAddition: BeginAddition | undefined;

  /**
   * `properties` are what the program declares, or, for a refresh, the state: names and paths are made from them.
   * `beginAddition` runs before entries are added to lists which others share.
   */
  constructor(
    type: ResourceDeclaration,
    dependencies: HandlerDependencies,
    id: string,
    properties: Properties,
    beginAddition?: BeginAddition,
  ) {
    this.#beginAddition = beginAddition;
    this.#type = type;
    this.#dependencies = dependencies;
    this.#id = id;
    this.#properties = properties;
  }

  get displayName(): string {
    return displayName(this.#type, this.#id, this.#properties);
  }

  /** The state of an object that exists; `outputs` are those that only its creation returned. */
  findAdopted(action: Action, outputs: Properties): Promise<Properties> {
    const differenceMessage = (object: string, differences: string) =>
      coded(
        "CDB4004",
        `Adopting ${object}: ${differences}. An update cannot change this: declare the existing value, or omit the argument. Nothing was changed.`,
      );
    return this.#findExisting(action, {}, outputs, differenceMessage);
  }

  /** The state of an object that an earlier command created. */
  findCreated({ inputs = {}, password, discardCommand: command }: EarlierCreation): Promise<Properties> {
    const { definition, creation } = this.#type;
    const created = stateAfterCreate(definition, creation?.name ?? "", inputs, {});
    const differenceMessage = (object: string, differences: string) =>
      coded(
        "CDB4004",
        `Creating ${object}, which an earlier command has created: ${differences}. An update cannot change this: declare the existing value, or run \`${command}\` to create another one. Nothing was changed.`,
      );
    return this.#findExisting("create", created, { password }, differenceMessage);
  }

  /** The state of an existing object; `known` is what no response shows, and `outputs` what only its creation did. */
  async #findExisting(
    action: Action,
    known: Properties,
    outputs: Properties,
    differenceMessage: (object: string, differences: string) => Message,
  ): Promise<Properties> {
    const { definition, findContradiction } = this.#type;
    const inputs = this.#properties;
    const current = await this.#fetch(action, inputs, inputs);
    const { replacing } = diff(definition, stateAfterRead(definition, known, {}, current), inputs);
    const contradiction = findContradiction?.(current, inputs);
    const differences = replacing.map((field) => describeDifference(field, { ...known, ...current }, inputs));
    if (contradiction !== undefined) differences.push(contradiction);
    if (differences.length > 0) throw new UserError(differenceMessage(this.displayName, differences.join("; ")));
    return recordDeclared(definition, { ...stateAfterRead(definition, known, inputs, current), ...outputs }, inputs);
  }

  /** Sends what a creation or an adoption has left. Whatever fails from here on, the object is in the stack. */
  async finishCreate(action: Action, start: Properties): Promise<Created> {
    const { outcome, shortfall } = await this.#sendUpdates(action, start);
    if (outcome.error === undefined) return { id: this.#id, state: outcome.state };
    const text = withSentence(shortfall(), "It is in the stack; the next `pulumi up` completes it.");
    throw new PartialFailure(this.#id, this.#markUncertain(outcome), text);
  }

  /** Sends what differs from the state. */
  async update(state: Properties): Promise<Properties> {
    const current = state[UNCERTAIN] ? await this.#resolveUncertainty(state) : state;
    const contradiction = this.#type.findContradiction?.(current, this.#properties);
    if (contradiction !== undefined) {
      throw new UserError(
        coded(
          "CDB4004",
          `Updating ${this.displayName}: ${contradiction}. An update cannot change this. Nothing was changed.`,
        ),
      );
    }
    const start = recordDeclared(this.#type.definition, current, this.#properties);
    const { outcome, shortfall } = await this.#sendUpdates("update", start);
    if (outcome.error === undefined) return outcome.state;
    const reached = this.#markUncertain(outcome);
    // With nothing done, the stack keeps what it had.
    if (isDeepStrictEqual(reached, start)) throw new UserError(shortfall());
    throw new PartialFailure(this.#id, reached, shortfall());
  }

  /** Removes the entries that the program no longer wants in lists which others share; nothing else is left to do. */
  async removeEntries(state: Properties): Promise<"removed" | "gone"> {
    const { outcome, shortfall } = await this.#sendUpdates("remove", state);
    if (outcome.error instanceof NotFoundError) return "gone";
    if (outcome.error !== undefined) throw new UserError(shortfall());
    return "removed";
  }

  /** Reads it once, as the program would have to declare it; nothing where the API says that it is gone. */
  async refresh(): Promise<Properties | undefined> {
    try {
      return await this.#readState(this.#properties);
    } catch (error) {
      if (error instanceof UserError && error.cause instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /** Says which values of a response cannot be used: they stay as they were. */
  warnAboutInvalidFields(response: Properties, declared: Properties = this.#properties): void {
    const warning = describeInvalidFields(this.displayName, invalidFields(this.#type.definition, response, declared));
    if (warning !== undefined) this.#dependencies.log(warning);
  }

  /** Once per update, whatever the number of its responses. */
  #warnAboutForeignEntries(state: Properties, response: Properties): void {
    const { definition } = this.#type;
    const secrets = this.#properties[SECRETS];
    for (const { name, keys } of foreignEntries(definition, state, this.#properties, response)) {
      const isSecret = Array.isArray(secrets) && secrets.includes(name);
      this.#dependencies.log(describeForeignEntries(this.displayName, name, keys, isSecret));
    }
  }

  /** Reads it as it is. */
  async #fetch(action: Action, properties: Properties, declared: Properties): Promise<Properties> {
    const { parameters, read } = this.#type;
    try {
      const client = this.#dependencies.client();
      const current = await client.call(read as Operation<Properties>, parameters(this.#id, properties));
      this.warnAboutInvalidFields(current, declared);
      return current;
    } catch (error) {
      const operation = `${ACTIONS[action].verb} ${this.displayName}`;
      throw new UserError(describeFailure(operation, error, "Nothing was changed."), { cause: error });
    }
  }

  /** The certain state: as a read shows it or, without a read, without the values that may be wrong. */
  async #resolveUncertainty(state: Properties): Promise<Properties> {
    if (this.#type.read !== undefined) return this.#readState(state);
    const { [UNCERTAIN]: _, ...stored } = state;
    return forgetUncertain(this.#type.definition, stored, this.#properties, isUncertainIn(state));
  }

  /** The state as one read shows it, with nothing uncertain any more. */
  async #readState({ [UNCERTAIN]: uncertain, ...state }: Properties): Promise<Properties> {
    const { definition } = this.#type;
    const stored = forgetUnobservable(definition, state, isUncertainIn({ [UNCERTAIN]: uncertain }));
    const declared = inputsFromState(definition, stored);
    return stateAfterRead(definition, stored, declared, await this.#fetch("read", stored, declared));
  }

  /** The state to store after a failure, marked if the last request may have succeeded. */
  #markUncertain(outcome: UpdateOutcome): Properties {
    const { definition, read } = this.#type;
    const { state, error } = outcome;
    if (error === undefined || outcome.uncertain === undefined) return state;
    const known = assumeListsAccepted(definition, state, this.#properties, read !== undefined);
    return { ...known, [UNCERTAIN]: outcome.uncertain };
  }

  async #sendUpdates(
    action: Action,
    start: Properties,
  ): Promise<{ readonly outcome: UpdateOutcome; readonly shortfall: () => Message }> {
    const { definition, parameters, read, updates, finish } = this.#type;
    const { verb, isUrgent } = ACTIONS[action];
    const inputs = this.#properties;
    const latest: Properties = {};
    const target: UpdateTarget = {
      client: this.#dependencies.client(),
      definition,
      parameters: parameters(this.#id, inputs),
      ...(read && { read }),
      updates,
      isUrgent,
      finish: async (state) =>
        finish?.(this.#dependencies, this.displayName, state, inputs, (current) => this.#readState(current)) ?? state,
      onResponse: (response) => {
        Object.assign(latest, response);
        this.warnAboutInvalidFields(response);
      },
    };
    const recorded = await this.#beginAddition?.(start);
    const marked = recorded ? { ...start, [ADDED]: recorded.token } : start;
    let outcome = await applyUpdates(target, marked, inputs);
    const { error } = outcome;
    if (recorded && error instanceof ApiError && !error.mayHaveSucceeded && outcome.state === marked) {
      await recorded.end();
      outcome = { ...outcome, state: start };
    }
    this.#warnAboutForeignEntries(outcome.state, latest);
    const operation = `${verb} ${this.displayName}`;
    return { outcome, shortfall: () => describeShortfall(operation, target, start, outcome, inputs) };
  }
}

function isUncertainIn(state: Properties): (name: string) => boolean {
  const names = state[UNCERTAIN];
  return (name) => Array.isArray(names) && names.includes(name);
}

/** The message about an object that does not exist: one in the stack, or one that a program only reads. */
export function describeMissing(declaration: ResourceDeclaration, id: string, state: Properties): Message {
  const object = capitalised(displayName(declaration, id, state));
  const which = `${object} of organization ${state.organizationId}`;
  if (state[DECLARED] === undefined) return coded("CDB5006", `${which} does not exist.`);
  const gone = `${which} no longer exists and is removed from state.`;
  return coded(
    "CDB5006",
    state.password
      ? `${gone} The stack's history still holds its password: \`pulumi stack history\`, \`pulumi stack export --version N\`.`
      : gone,
  );
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
