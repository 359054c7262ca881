import type { Client, Operation, PathParameters } from "../api";
import { ApiError } from "../api/errors";
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
import type { RemoteObjectType } from "./resource-type";
import { adviceFor, describeError, joinSentences, UserError } from "./user-error";

/** The object to update. */
export interface UpdateTarget extends Pick<RemoteObjectType, "definition" | "read" | "updates"> {
  readonly client: Client;
  readonly parameters: PathParameters;
  /** True where the operation has changed something already that is not stored yet, as by a creation. */
  readonly isUrgent: boolean;
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
    for (const name of Object.keys(target.updates)) {
      sending = name;
      for (let round = 0; ; round += 1) {
        const body = buildUpdateBody(target.definition, name, state, inputs);
        if (body === undefined) break;
        if (round === MAX_ROUNDS) throw notApplied(target.definition, name, state, inputs);
        state = await send({ ...target, isUrgent: target.isUrgent || state !== start }, name, body, state, inputs);
      }
    }
    return { state };
  } catch (error) {
    if (!(error instanceof ApiError && error.mayHaveSucceeded)) return { state, error };
    return {
      state,
      error,
      uncertain: pendingFields(target.definition, sending, state, inputs).map(({ name }) => name),
    };
  }
}

async function send(
  target: UpdateTarget,
  name: string,
  body: Properties,
  start: Properties,
  inputs: Properties,
): Promise<Properties> {
  const { client, definition, parameters, read, updates, isUrgent, onResponse } = target;
  let state = start;
  const result = await client.call(updates[name] as Operation<Properties>, parameters, {
    body,
    isUrgent,
    idempotency: editsLists(definition, name, start, inputs) ? "list" : "set",
    ...(read && {
      readFirst: async () => {
        const found = (await client.call(read, parameters, { isUrgent: true })) ?? {};
        onResponse(found);
        state = stateAfterReread(definition, name, state, inputs, found);
        return buildUpdateBody(definition, name, state, inputs);
      },
    }),
  });
  if (result === undefined) return state;
  onResponse(result);
  if (read === undefined) return stateAfterUnreadableUpdate(definition, name, state, inputs, result);
  if (!omitsChangedList(definition, name, state, inputs, result))
    return stateAfterUpdate(definition, name, state, inputs, result);
  const found = await client.call(read, parameters, { isUrgent: true }).catch((error: ApiError) => {
    throw Object.assign(error, { mayHaveSucceeded: true });
  });
  return stateAfterUpdate(definition, name, state, inputs, found ?? {});
}

function notApplied(definition: Definition, name: string, state: Properties, inputs: Properties): UserError {
  const names = pendingFields(definition, name, state, inputs).map((field) => field.name);
  return new UserError(
    `the API accepted the update of ${names.join(", ")} twice, but its response still does not show it; run \`pulumi refresh\` to see the current values`,
  );
}

/** The message when not everything could be sent: what happened, what is true now, what to do. */
export function describeShortfall(
  target: UpdateTarget,
  start: Properties,
  outcome: UpdateOutcome,
  inputs: Properties,
): string {
  const open = (state: Properties) =>
    Object.keys(target.updates).flatMap((name) =>
      pendingFields(target.definition, name, state, inputs).map((field) => field.name),
    );
  const left = open(outcome.state);
  const done = open(start).filter((name) => !left.includes(name));
  const uncertain = outcome.error instanceof ApiError && outcome.error.mayHaveSucceeded;
  return joinSentences(
    `${describeError(outcome.error)}.`,
    done.length > 0 ? `Done: ${done.join(", ")}.` : "",
    left.length > 0 ? `${uncertain ? "Not confirmed" : "Not done"}: ${left.join(", ")}.` : "",
    adviceFor(outcome.error),
  );
}
