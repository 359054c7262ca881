import { ApiError, type Client, type Operation, type PathParameters } from "../api";
import { adviceFor, Complaint, paragraph, said } from "../failure";
import {
  accepted,
  acceptedUnread,
  changesLists,
  type Definition,
  foundAfter,
  hidesList,
  type Properties,
  pending,
  updateBody,
} from "../fields";

/** The object that is brought to what is wanted. */
export interface Remote {
  readonly client: Client;
  readonly definition: Definition;
  readonly parameters: PathParameters;
  /** Absent where the API has no way to read it. */
  readonly read?: Operation<Properties>;
  /** The operations that change it, by the names that its table uses, in the order in which they are sent. */
  readonly changes: Readonly<Record<string, Operation<Properties>>>;
  /** True where the operation has changed something already that is not stored yet, as by a creation. */
  readonly isPressing: boolean;
  /** Sees each answer. */
  readonly look: (answer: Properties) => void;
}

/** How far it came: `state` is what is true on the server as far as is known. */
export type Outcome =
  | { readonly state: Properties; readonly error?: undefined }
  | {
      readonly state: Properties;
      readonly error: unknown;
      /** The arguments that a request carried which may have been carried out all the same. */
      readonly uncertain?: readonly string[];
    };

/** One request for what differs, and one more for list entries that the server took in another order. */
const MOST_ROUNDS = 2;

/** Sends one request per operation that has something to change, and nothing else. */
export async function synchronise(remote: Remote, start: Properties, inputs: Properties): Promise<Outcome> {
  let state = start;
  let sending = "";
  try {
    for (const name of Object.keys(remote.changes)) {
      sending = name;
      for (let round = 0; ; round += 1) {
        const body = updateBody(remote.definition, name, state, inputs);
        if (body === undefined) break;
        if (round === MOST_ROUNDS) throw notTaken(remote.definition, name, state, inputs);
        state = await send({ ...remote, isPressing: remote.isPressing || state !== start }, name, body, state, inputs);
      }
    }
    return { state };
  } catch (error) {
    if (!(error instanceof ApiError && error.mayHaveLanded)) return { state, error };
    return { state, error, uncertain: pending(remote.definition, sending, state, inputs).map(({ name }) => name) };
  }
}

async function send(
  remote: Remote,
  name: string,
  body: Properties,
  start: Properties,
  inputs: Properties,
): Promise<Properties> {
  const { client, definition, parameters, read, changes, isPressing, look } = remote;
  let state = start;
  const result = await client.call(changes[name] as Operation<Properties>, parameters, {
    body,
    isPressing,
    repeatable: changesLists(definition, name, start, inputs) ? "list" : "set",
    ...(read && {
      readFirst: async () => {
        const found = (await client.call(read, parameters, { isPressing: true })) ?? {};
        look(found);
        state = foundAfter(definition, name, state, inputs, found);
        return updateBody(definition, name, state, inputs);
      },
    }),
  });
  if (result === undefined) return state;
  look(result);
  if (read === undefined) return acceptedUnread(definition, name, state, inputs, result);
  if (!hidesList(definition, name, state, inputs, result)) return accepted(definition, name, state, inputs, result);
  const found = await client.call(read, parameters, { isPressing: true }).catch((error: ApiError) => {
    throw Object.assign(error, { mayHaveLanded: true });
  });
  return accepted(definition, name, state, inputs, found ?? {});
}

function notTaken(definition: Definition, name: string, state: Properties, inputs: Properties): Complaint {
  const names = pending(definition, name, state, inputs).map((leaf) => leaf.name);
  return new Complaint(
    `the API accepted the change of ${names.join(", ")} twice, and its answer still does not show it; run \`pulumi refresh\` to see what it has`,
  );
}

/** What a user reads when not everything could be sent: what happened, what is now true, what to do. */
export function shortfall(remote: Remote, start: Properties, outcome: Outcome, inputs: Properties): string {
  const open = (state: Properties) =>
    Object.keys(remote.changes).flatMap((name) =>
      pending(remote.definition, name, state, inputs).map((leaf) => leaf.name),
    );
  const left = open(outcome.state);
  const done = open(start).filter((name) => !left.includes(name));
  const uncertain = outcome.error instanceof ApiError && outcome.error.mayHaveLanded;
  return paragraph(
    `${said(outcome.error)}.`,
    done.length > 0 ? `Done: ${done.join(", ")}.` : "",
    left.length > 0 ? `${uncertain ? "Not confirmed" : "Not done"}: ${left.join(", ")}.` : "",
    adviceFor(outcome.error),
  );
}
