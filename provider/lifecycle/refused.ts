/** The names of arguments that check has refused. Policies are not shown names that begin with two underlines. */
export const REFUSED = "clouddb:refused";
