import { type Properties, SECRETS, UNKNOWN } from "../fields";
import { OWNER_CONFLICT } from "../names/reserved-names";

/** The arguments, with the names of those that are marked as secret, without what else stands beside them. */
export function userArguments(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name === SECRETS || !name.startsWith("__")));
}

/** The conflict with another owner of the object, once its class knows of one. */
export function ownerConflictIn({ [OWNER_CONFLICT]: conflict }: Properties): string | undefined {
  return typeof conflict === "string" && conflict !== UNKNOWN ? conflict : undefined;
}
