import { type Message, message, textOf, withSentence } from "../errors";
import { type Properties, sharedFields } from "../fields";
import type { EarlierAddition, ResourceIdentity, Unresolved } from "./creation-journal";
import { capitalised } from "./remote-object";
import type { HandlerDependencies, ResourceType } from "./resource-type";
import { findUnstored } from "./shared-entries";
import { UserError } from "./user-error";

/*
 * Messages about the work of earlier commands that the stack does not have.
 */

/** The message about an object that an earlier command may have created for this resource. */
export interface EarlierNotice {
  readonly notice?: Message;
  /** The reason why `pulumi up` would create nothing. */
  readonly refusal?: Message;
}

export async function describeEarlierCreation(
  { definition }: ResourceType,
  { journal, redact }: HandlerDependencies,
  inputs: Properties,
  identity: ResourceIdentity,
): Promise<EarlierNotice> {
  const { adoptionArgument } = definition;
  try {
    if (sharedFields(definition).length > 0) {
      const addition = await journal()?.findAddition(identity);
      return addition ? { notice: redact(describeAddition(addition)) } : {};
    }
    if (adoptionArgument === undefined || inputs[adoptionArgument] !== undefined) return {};
    const earlier = await journal()?.find(identity);
    if (earlier === undefined) return {};
    const { id, title, name, sentAt } = earlier.record;
    if (id === undefined)
      return { refusal: redact(describeUncertain(adoptionArgument, earlier, await earlier.findOthers())) };
    const object = `The ${title} ${id} (${JSON.stringify(name)})`;
    return { notice: redact(message("CDB4011.taken", { object, time: sentAt })) };
  } catch (error) {
    if (error instanceof UserError) return { refusal: redact(error.message) };
    throw error;
  }
}

/**
 * Ends the journal's record of what the stack has; an object that is being imported is not there yet. True if an earlier
 * command may have added entries that the stack lacks.
 */
export async function confirmStored(
  { definition }: ResourceType,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
  identity: ResourceIdentity | undefined,
): Promise<boolean> {
  const { journal, log } = dependencies;
  if (definition.adoptionArgument !== undefined) await journal()?.confirm(id, typeof state.password === "string");
  const addition = await findUnstored({ definition }, dependencies, state, identity);
  if (addition !== undefined) log(describeAddition(addition));
  return addition !== undefined;
}

function describeAddition({ record: { title, target, sentAt } }: EarlierAddition): Message {
  return message("CDB4011.entries", { object: capitalised(`${title} ${target}`), time: sentAt });
}

/** The refusal to create an object that may exist. */
export function describeUncertain(
  idArgument: string,
  { record, discardCommand }: Unresolved,
  others: readonly Unresolved[],
): Message {
  const { title, name, organizationId, sentAt } = record;
  const facts = { type: title, name: JSON.stringify(name), organization: organizationId, time: sentAt };
  return withOthers(message("CDB4012.refused", { ...facts, idArgument, command: discardCommand }), others);
}

/** The refusal to replace an object that the API does not show. */
export function describeAbsent(
  object: string,
  { record: { sentAt }, discardCommand }: Unresolved,
  failure: string,
  others: readonly Unresolved[],
): Message {
  return withOthers(message("CDB4012.missing", { object, time: sentAt, failure, command: discardCommand }), others);
}

/** Most of those with an id are in the stack, and wait for the next command to see them there. */
const MOST_KNOWN = 10;

function withOthers(refusal: Message, others: readonly Unresolved[]): Message {
  const uncertain = others.filter(({ record }) => record.id === undefined).map(describeUnresolved);
  const known = others.filter(({ record }) => record.id !== undefined).map(describeUnresolved);
  const listed = known.slice(0, MOST_KNOWN);
  if (known.length > listed.length) listed.push(`${known.length - listed.length} more`);
  let text = refusal;
  if (uncertain.length > 0)
    text = withSentence(text, textOf(message("CDB4012.others", { creations: uncertain.join("; ") })));
  if (listed.length > 0) text = withSentence(text, textOf(message("CDB4012.known", { creations: listed.join("; ") })));
  return text;
}

function describeUnresolved({ record, discardCommand }: Unresolved): string {
  const { title, id, name, sentAt } = record;
  const object = id === undefined ? `${title} ${JSON.stringify(name)}` : `${title} ${id} (${JSON.stringify(name)})`;
  return `${object}, sent at ${sentAt} (\`${discardCommand}\`)`;
}
