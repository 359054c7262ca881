import type { Properties } from "../fields";

/** The arguments without what an engine or a class has put beside them. */
export function userArguments(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}
