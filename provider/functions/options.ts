import type * as pulumi from "@pulumi/pulumi";

// In a separate file, because a program's compiler reads this declaration and must not need other libraries' types.

/** The options of a function. */
export interface FunctionOptions {
  /** An explicit provider. Defaults to the stack's configuration and the environment. */
  readonly provider?: pulumi.ProviderResource;
}
