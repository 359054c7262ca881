import * as pulumi from "@pulumi/pulumi";

/** An error of which Pulumi prints the message alone. Of one that rejects an Output it would print the stack. */
export function programError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}
