/** A row of the table of `npm run conformance`. Most suites are test files of this name. */
export type Row = Readonly<Record<"suite" | "source" | "version", string> & Record<"cases" | "failures", number>>;
