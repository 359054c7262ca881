/*
 * What a class hands over to its check beside the arguments; the check takes it out again.
 */

export const RESOURCE_NAME = "__resourceName";
/** Why the program cannot have this resource, if it cannot. */
export const OWNER_CONFLICT = "__conflict";
