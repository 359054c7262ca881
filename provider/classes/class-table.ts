/** The part of a resource's table that its class needs, generated so that a program loads no schemas. */
export interface ClassTable {
  /** The names of all arguments and outputs. */
  readonly properties: readonly string[];
  /** The names of the arguments that no setting stands in for. */
  readonly required: readonly string[];
  /** The places of secret arguments. */
  readonly secretPaths: readonly (readonly string[])[];
  /** The properties that are secrets themselves. */
  readonly secretNames: readonly string[];
  /** The warnings about deprecated arguments. */
  readonly deprecated: Readonly<Record<string, string>>;
  /** The names of the arguments that each update carries. */
  readonly updates: Readonly<Record<string, readonly string[]>>;
}
