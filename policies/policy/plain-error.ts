/** An error without a stack trace: the SDK prints `stack`, so it holds the message alone. */
export function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
