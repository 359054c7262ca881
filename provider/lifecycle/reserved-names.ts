/*
 * What a class hands over to its check beside the arguments; the check takes it out again.
 */

export const RESOURCE_NAME = "__resourceName";
/** Why the program cannot have this resource, if it cannot. */
export const OWNER_CONFLICT = "__conflict";

/** The names of arguments that check has refused. Policies are not shown names that begin with two underlines. */
export const REFUSED = "clouddb:refused";
