/** An error as a user should read it: the SDK prints the stack, so the stack is the sentence. */
export function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
