/** A row of the table of `npm run conformance`. A suite is a test file of this name. */
export type Row = Readonly<Record<"suite" | "source" | "version", string> & Record<"cases" | "failures", number>>;
