import { z } from "zod";
import { isLoopback } from "../api/loopback";
import { nameWithValue, type RuleContext, settingName, settingVariable } from "../fields";
import { choice, flag, listOf, text, uuid, wholeNumber } from "../fields/shapes";

/** One setting of the provider. Its configuration key and environment variable follow from its name. */
interface Setting<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  /** Configuration and environment are text; this makes of it what the schema is about. */
  readonly fromText?: (text: string) => unknown;
  readonly doc: string;
  readonly unit?: string;
  readonly default?: Value;
  readonly secret?: true;
}

const ADDRESS = "use an address such as https://api.example.com, without version, query or key";
const address = {
  schema: z.string(ADDRESS).refine(isPlainAddress, ADDRESS),
  fromText: (text: string) => text.replace(/\/+$/, ""),
};
const truth = { schema: flag(), fromText: (text: string) => ({ true: true, false: false })[text] ?? text };
const count = (min: number, max: number) => ({
  schema: wholeNumber({ min, max }),
  fromText: (text: string) => Number(text),
});

export const settingsTable = {
  baseUrl: {
    ...address,
    doc: "The address of the management interface, without `/v1`. https, unless the host is this machine or allowInsecureHttp is true.",
  },
  observabilityUrl: {
    ...address,
    doc: "The address of the observability interface, without `/api/v2`.",
  },
  keyId: { schema: text(), doc: "The id of the API key." },
  keySecret: { schema: text(), doc: "The secret of the API key.", secret: true },
  accessToken: { schema: text(), doc: "The token for the observability interface.", secret: true },
  organizationId: {
    schema: uuid(),
    doc: "The organization of every resource that does not declare another.",
  },
  organizationTier: {
    schema: choice(["BASIC", "SCALE", "ENTERPRISE"]),
    doc: "The organization's tier: turns on the rules that depend on it.",
  },
  paid: { ...truth, doc: "Whether services are paid: turns on the rules that depend on it." },
  requestTimeoutSeconds: {
    ...count(1, 3600),
    doc: "How long one attempt of a request may take.",
    unit: "seconds",
    default: 60,
  },
  maxRetries: {
    ...count(0, 100),
    doc: "How often a request is repeated after a failure; waits for a rate limit do not count.",
    default: 6,
  },
  allowUnlisted: {
    schema: listOf(text()),
    fromText: names,
    doc: "The names of arguments whose values may be missing from their list of allowed values, as `region` for one: a value that is newer than this release is warned of instead of refused.",
  },
  allowInsecureHttp: { ...truth, doc: "Allows addresses without TLS on other machines.", default: false },
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof settingsTable;
export type Settings = { [Key in SettingKey]?: z.output<(typeof settingsTable)[Key]["schema"]> };

/** The settings that could be read, and a sentence for each that could not. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly problems: readonly string[];
}

/** Takes each setting from the configuration or else from the environment. An empty text is no value. */
export function readSettings(
  configured: (key: string) => unknown,
  environment: Readonly<Record<string, string | undefined>>,
): ReadSettings {
  const settings: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, setting] of Object.entries<Setting>(settingsTable)) {
    const given =
      present(configured(`clouddb:${key}`)) ?? present(environment[settingVariable(key)]) ?? setting.default;
    if (given === undefined) continue;
    const value = typeof given === "string" && setting.fromText ? setting.fromText(given) : given;
    const result = setting.schema.safeParse(value);
    if (result.success) settings[key] = result.data;
    else
      problems.push(
        `${nameWithValue(settingName(key), setting, value)} is not allowed: ${result.error.issues[0]?.message}.`,
      );
  }
  for (const key of ["baseUrl", "observabilityUrl"]) {
    const url = settings[key];
    if (typeof url !== "string" || settings.allowInsecureHttp === true || isSafe(url)) continue;
    delete settings[key];
    problems.push(
      `${settingName(key)} ${url} would send the API key unencrypted: use https, or set ${settingName("allowInsecureHttp")} to true.`,
    );
  }
  return { settings: settings as Settings, problems };
}

/** What the rules over arguments may depend on. */
export function ruleContext({ organizationTier, paid, allowUnlisted }: Settings): RuleContext {
  return { organizationTier, paid, allowUnlisted };
}

/** A list as JSON, which is how a stack's configuration holds one, or with commas between its names. */
function names(given: string): unknown {
  const text = given.trim();
  if (!text.startsWith("[")) {
    return text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function present(value: unknown): unknown {
  return value === "" || value === null ? undefined : value;
}

function isPlainAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) return false;
  return (
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === "" &&
    !/\/(v1|api\/v2)$/.test(url.pathname)
  );
}

function isSafe(text: string): boolean {
  return new URL(text).protocol === "https:" || isLoopback(text);
}
