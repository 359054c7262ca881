import * as pulumi from "@pulumi/pulumi";

/** An error of which Pulumi prints only the message. For other errors that reject an Output, it prints the stack. */
export function programError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = message;
  return error;
}
