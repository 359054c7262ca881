/** The environment of this process; its secrets may be in what a command printed. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_NAME = /SECRET|PASSPHRASE|PASSWORD|TOKEN|KEY/i;
/** A shorter value is hidden only as a whole word; otherwise it would make messages unreadable. */
const SHORTEST_PART = 4;

/** Hides the values of variables with secret names, also in JSON and URL encoding. */
export function secretsHider(environment: Environment): (text: string) => string {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== undefined && value.trim() !== "" ? [value.trim()] : [],
  );
  const forms = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  // The longest first: one secret may begin another.
  const patterns = [...new Set(forms)].sort((left, right) => right.length - left.length).map(patternOf);
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join("|"), "g");
  return (text) => text.replace(pattern, "[secret]");
}

function patternOf(value: string): string {
  const literal = value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return value.length < SHORTEST_PART ? `(?<!\\w)${literal}(?!\\w)` : literal;
}
