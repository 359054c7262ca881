import type * as pulumi from "@pulumi/pulumi";

// A file of its own: a program's compiler reads what declares this, and must not meet the types of other libraries.

/** Which account a function asks. */
export interface FunctionOptions {
  /** An explicit provider; by default the stack's configuration and the environment. */
  readonly provider?: pulumi.ProviderResource;
}
