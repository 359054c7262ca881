import { coded, type Message } from "../../errors";
import {
  type FieldPath,
  hasUnknown,
  labelOf,
  type NewList,
  type Properties,
  valueAt,
  withoutKeys,
} from "../../fields";
import { stateDeletion } from "../../names";
import { describeChange, describeEntries, isMarked, namesOf } from "./messages";
import type { Resource } from "./resource";

/* Messages of check and diff about the effect of `pulumi up`. */

export function describeEmptyId({ id, title }: Resource, name: string): Message {
  return coded(
    "CDB1021",
    `${id} of "${name}" is an Output that is undefined,`,
    `so \`pulumi up\` creates a new ${title}, which costs money.`,
    `Check the name of that output, or omit ${id}.`,
  );
}

export function describeAdoption(
  { lifecycle }: Resource,
  object: string,
  isShared: boolean,
  lists: readonly string[],
): Message {
  const action = lifecycle?.adoption ?? "compares it with the program and changes what differs";
  const others = isShared ? ", and each further one" : "";
  const effect = `Entries of ${lists.join(" and ")} that the program does not declare are removed.`;
  return coded(
    "CDB5009",
    `Adopting ${object}${others}: \`pulumi up\` reads it, ${action}; a preview reads nothing.`,
    ...(lists.length > 0 ? [effect] : []),
  );
}

export function describeNamesakes(twin: string, name: string, title: string): Message {
  return coded(
    "CDB1017",
    `"${twin}" and "${name}" declare the same name for a ${title}.`,
    "The API allows that, but nobody can tell the two apart: give one of them another name.",
  );
}

export function describeUnseen(object: string, fields: readonly FieldPath[]): Message {
  return coded(
    "CDB5010",
    `The API does not show ${namesOf(fields).join(", ")} of ${object}, which was adopted:`,
    "the new value is only recorded in the state.",
  );
}

export function describeRotation(object: string, argument: string, source: string): Message {
  return coded(
    "CDB5017",
    `\`pulumi up\` sends the value that ${source} has on this machine`,
    `as ${argument} of ${object}: it is not the value that was sent last.`,
    "Different is not newer, so set the variable only where the current value is.",
  );
}

export function describeHidden(object: string, changes: readonly string[]): Message {
  return coded(
    "CDB5019",
    `The state of ${object} differs from its unchanged arguments:`,
    `\`pulumi up\` changes ${changes.join("; ")}.`,
  );
}

export function describeMarked(object: string, marked: readonly string[]): Message {
  return coded(
    "CDB5007",
    `The program marks ${marked.join(", ")} of ${object} as secret:`,
    "the update marks it in the state, and sends no request for that.",
  );
}

export function describeReleased(object: string, released: readonly FieldPath[]): Message {
  return coded(
    "CDB5005",
    `The ${object} keeps what the program does not declare: ${namesOf(released).join(", ")}.`,
  );
}

/** The error about an object with two resources in the stack. Either may have been imported. */
export function describeImportedTwice(conflict: string, urns: readonly [string, string]): Message {
  const [first, second] = urns.map((urn) => `\`${stateDeletion(urn)}\``);
  return coded(
    "CDB4010",
    `${conflict} If it was imported twice, remove the newer one from the state,`,
    `with ${first} or ${second}: an import brings no password.`,
  );
}

/** The effect of a replacement. `changes` are texts such as `region from "a" to "b"`. */
export function describeReplacement(
  resource: Resource,
  object: string,
  replacing: readonly FieldPath[],
  state: Properties,
  inputs: Properties,
): Message {
  const { title, create, lifecycle } = resource;
  const changes = replacing.map((fieldPath) => describeChange(fieldPath, state, inputs));
  const isMoved = replacing.some(({ name }) => name === "organizationId");
  const typingError = isMoved ? "If the new organizationId is a typing error, correct it. " : "";
  const change = `${typingError}Changing ${changes.join(" and ")} of ${object}`;
  if (create !== undefined && replacing.some(({ name }) => name === resource.id)) {
    return coded(
      "CDB5003",
      `${change} makes the stack release this ${title} and adopt the other;`,
      "nothing is created or deleted on the server. Without `retainOnDelete: true`,",
      `which has to be applied first, a protected ${title} refuses this.`,
      `The released ${title} keeps running and costing money,`,
      "and its password leaves the stack: save the password first.",
    );
  }
  if (create !== undefined) {
    return coded(
      "CDB5002",
      `${change} requires a new, empty ${title}, with another host and password.`,
      "Without `retainOnDelete: true`, which has to be applied first, this is refused:",
      `the API cannot delete ${title}s. With it, the old one leaves the stack`,
      "with the only copy of its password, and keeps running and costing money:",
      "save the password first.",
    );
  }
  const parts = lifecycle
    ? [lifecycle.replacement]
    : [
        "makes the stack release this object and adopt the other;",
        "nothing is created or deleted on the server.",
      ];
  return coded("CDB5003", change, ...parts);
}

/**
 * The effect of a newly declared list. The engine cannot show it, because it only compares inputs.
 */
export function describeNewList(
  object: string,
  { fieldPath, rules, before, after }: NewList,
  inputs: Properties,
): Message {
  const { name, path } = fieldPath;
  const entries = describeEntries(
    withoutKeys(rules, before, after).map((entry) => labelOf(rules, entry)),
    isMarked(name, inputs),
  );
  const isUnknown = hasUnknown(valueAt(inputs, path));
  const condition = isUnknown ? ", unless values that are not known yet declare them" : "";
  return coded(
    "CDB5016",
    `The program declares ${name} of ${object} for the first time, as the complete list:`,
    `\`pulumi up\` removes ${entries}${condition}.`,
  );
}
