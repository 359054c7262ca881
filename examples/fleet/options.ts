/** A number of at least 1. */
export function integer(option: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`${option} must be a positive integer; got ${JSON.stringify(text)}`);
}
