/*
 * Properties that a class passes to its check besides the arguments; the check removes them.
 */

export const RESOURCE_NAME = "__resourceName";
/** The reason why the program cannot have this resource, if any. */
export const OWNER_CONFLICT = "__conflict";
