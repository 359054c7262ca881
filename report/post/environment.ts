import { PostError } from "./post";

/** The variables of a pipeline. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Their values, or an error that names every missing one. */
export function required(env: Environment, names: readonly string[]): string[] {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new PostError(`missing environment variables: ${missing.join(", ")}`);
  return names.map((name) => env[name] ?? "");
}
