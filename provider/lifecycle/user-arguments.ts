import { type Properties, UNKNOWN } from "../fields";
import { OWNER_CONFLICT } from "../names/reserved-names";

/** The arguments without what an engine or a class has put beside them. */
export function userArguments(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

/** The conflict with another owner of the object, once its class knows of one. */
export function ownerConflictIn({ [OWNER_CONFLICT]: conflict }: Properties): string | undefined {
  return typeof conflict === "string" && conflict !== UNKNOWN ? conflict : undefined;
}
