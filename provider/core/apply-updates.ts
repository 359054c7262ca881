import type { Client, Operation, PathParameters } from "../api";
import { ApiError } from "../api/errors";
import { coded, type Message } from "../errors";
import {
  buildUpdateBody,
  type Definition,
  editsLists,
  omitsChangedList,
  type Properties,
  pendingFields,
  stateAfterReread,
  stateAfterUnreadableUpdate,
  stateAfterUpdate,
} from "../fields";
import type { ResourceDeclaration } from "./resource-type";
import { describeFailure, UserError } from "./user-error";

/** The object to update. */
export interface UpdateTarget extends Pick<ResourceDeclaration, "definition" | "read" | "updates"> {
  readonly client: Client;
  readonly parameters: PathParameters;
  /** True where the operation has changed something already that is not stored yet, as by a creation. */
  readonly isUrgent: boolean;
  /** The last step, after all requests. */
  readonly finish: (state: Properties) => Promise<Properties>;
  /** Sees each response. */
  readonly onResponse: (response: Properties) => void;
}

/** The outcome of the updates; `state` is the server's, as far as is known. */
export type UpdateOutcome =
  | { readonly state: Properties; readonly error?: undefined }
  | {
      readonly state: Properties;
      readonly error: unknown;
      /** The arguments of a request that failed and may have succeeded nevertheless. */
      readonly uncertain?: readonly string[];
    };

/** One request for what differs, and one more for list entries that the server took in another order. */
const MAX_ROUNDS = 2;

/** Sends one request per operation that has something to change, and nothing else. */
export async function applyUpdates(
  target: UpdateTarget,
  start: Properties,
  inputs: Properties,
): Promise<UpdateOutcome> {
  let state = start;
  let sending = "";
  try {
    for (const [name, operation] of Object.entries(target.updates)) {
      sending = name;
      for (let round = 0; ; round += 1) {
        const body = buildUpdateBody(target.definition, name, state, inputs);
        if (body === undefined) break;
        if (round === MAX_ROUNDS) throw notApplied(target.definition, name, state, inputs);
        state = await send(
          { ...target, isUrgent: target.isUrgent || state !== start },
          { name, operation, body },
          state,
          inputs,
        );
      }
    }
    return { state: await target.finish(state) };
  } catch (error) {
    if (!(error instanceof ApiError && error.mayHaveSucceeded)) return { state, error };
    return {
      state,
      error,
      uncertain: pendingFields(target.definition, sending, state, inputs).map(({ name }) => name),
    };
  }
}

/** One request that changes the object. */
interface Update {
  readonly name: string;
  readonly operation: Operation<Properties>;
  readonly body: Properties;
}

async function send(
  { client, definition, parameters, read, isUrgent, onResponse }: UpdateTarget,
  { name, operation, body }: Update,
  start: Properties,
  inputs: Properties,
): Promise<Properties> {
  let state = start;
  const idempotency = editsLists(definition, name, start, inputs) ? "list" : "set";
  if (read === undefined) {
    const result = await client.call(operation, parameters, { body, isUrgent, idempotency });
    onResponse(result);
    return stateAfterUnreadableUpdate(definition, name, state, inputs, result);
  }
  const readNow = () => client.call(read, parameters, { isUrgent: true });
  const readFirst = async () => {
    const current = await readNow();
    onResponse(current);
    state = stateAfterReread(definition, name, state, inputs, current);
    return buildUpdateBody(definition, name, state, inputs);
  };
  const result = await client.callUnlessDone(operation, parameters, { body, isUrgent, idempotency, readFirst });
  if (result === undefined) return state;
  onResponse(result);
  if (!omitsChangedList(definition, name, state, inputs, result))
    return stateAfterUpdate(definition, name, state, inputs, result);
  const latest = await readNow().catch((error: ApiError) => {
    throw Object.assign(error, { mayHaveSucceeded: true });
  });
  onResponse(latest);
  return stateAfterUpdate(definition, name, state, inputs, latest);
}

function notApplied(definition: Definition, name: string, state: Properties, inputs: Properties): UserError {
  const names = pendingFields(definition, name, state, inputs).map((field) => field.name);
  return new UserError(
    coded(
      "CDB4005",
      `the API accepted the update of ${names.join(", ")} twice, but its response still does not show it; run \`pulumi refresh\` to see the current values`,
    ),
  );
}

/** The message when not everything could be sent: what happened, what is true now, what to do. */
export function describeShortfall(
  operation: string,
  target: UpdateTarget,
  start: Properties,
  outcome: UpdateOutcome,
  inputs: Properties,
): Message {
  const open = (state: Properties) =>
    Object.keys(target.updates).flatMap((name) =>
      pendingFields(target.definition, name, state, inputs).map((field) => field.name),
    );
  const left = open(outcome.state);
  const done = open(start).filter((name) => !left.includes(name));
  const uncertain = outcome.error instanceof ApiError && outcome.error.mayHaveSucceeded;
  return describeFailure(
    operation,
    outcome.error,
    done.length > 0 ? `Done: ${done.join(", ")}.` : "",
    left.length > 0 ? `${uncertain ? "Not confirmed" : "Not done"}: ${left.join(", ")}.` : "",
  );
}
