import { isAbsolute } from "node:path";
import { encodedLogin, isLoopback } from "pulumi-clouddb-facts";
import { z } from "zod";
import type { Limit } from "../../api/rate-limiter";
import { coded, type Message } from "../../errors";
import {
  choice,
  flag,
  label,
  listOf,
  nameWithValue,
  ORGANIZATION_TIERS,
  text,
  uuid,
  wholeNumber,
} from "../../fields";
import { didYouMean, unlistedNames } from "../../mistakes";
import { settingKey, settingName, settingVariable, VARIABLE_MAPPINGS } from "../../names";
import { type Environment, type Mappings, variablesOf } from "./environment";

/** A provider setting. Its configuration key and environment variable are derived from its name. */
interface Setting<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  /** Parses a text from the configuration or the environment. */
  readonly fromText?: (text: string) => unknown;
  readonly description: string;
  readonly unit?: string;
  readonly default?: Value;
  readonly secret?: true;
}

/**
 * The URL parser drops or encodes these characters, so the stored text would differ from the
 * checked text.
 */
const WHITESPACE = /[\s\p{Cc}]/u;
const url = (error: string) =>
  z
    .string(error)
    .refine((text) => !WHITESPACE.test(text), "must not contain whitespace or control characters");
const ADDRESS =
  "must be a URL such as https://api.example.com, without API version, query or credentials";
const address = { schema: url(ADDRESS), fromText: parseAddress };
const REDIS_SERVER =
  "a URL such as rediss://user:password@redis.example.com:6379, without query; encode special characters of the password";
const REDIS_URL = `must be ${REDIS_SERVER}`;
const RATE_LIMIT = "must be a number of requests and of seconds such as `10 per 10 s`";
const JOURNAL = `must be an absolute path, \`off\`, or ${REDIS_SERVER}`;
/** Basic authentication allows no control characters. */
const key = () => label().regex(/^\P{Cc}*$/u, "must not contain control characters");
/** HTTP headers allow these characters after `Bearer`. */
const token = () => text().regex(/^[!-~]+$/, "must consist of visible ASCII characters");
const truth = {
  schema: flag(),
  fromText: (text: string) => ({ true: true, false: false })[text] ?? text,
};
const count = (min: number, max: number) => ({
  schema: wholeNumber({ min, max }),
  fromText: (text: string) => (/^(0|[1-9]\d*)$/.test(text) ? Number(text) : text),
});

export const settingsTable = {
  baseUrl: {
    ...address,
    description:
      "The URL of the management API, without `/v1`. It must use https unless the host is this machine or allowInsecureHttp is true.",
  },
  observabilityUrl: {
    ...address,
    description:
      "The URL of the observability API, without `/api/v2`. Only `getAlert` and `getDashboards` use it. It must use https unless the host is this machine or allowInsecureHttp is true.",
  },
  keyId: { schema: key(), description: "The ID of the API key for the management API." },
  keySecret: {
    schema: key(),
    description: "The secret of the API key for the management API.",
    secret: true,
  },
  accessToken: {
    schema: token(),
    description: "The access token for the observability API.",
    secret: true,
  },
  organizationId: {
    schema: uuid(),
    description:
      "The ID of the organization of every resource that does not declare organizationId.",
  },
  organizationTier: {
    schema: choice(ORGANIZATION_TIERS),
    description:
      "The tier of the organization. If set, the limits of that tier are checked in the preview.",
  },
  paid: {
    ...truth,
    description:
      "Whether the organization's services are paid. If false, the memory limits of unpaid services are checked in the preview.",
  },
  requestTimeoutSeconds: {
    ...count(1, 3600),
    description: "The timeout of a single attempt of a request.",
    unit: "seconds",
    default: 60,
  },
  maxRetries: {
    ...count(0, 100),
    description:
      "The number of retries of a failed request. Waits for the rate limit do not count. Unless it is 0, an update of an object that is not ready yet (409, 423 or 425) is retried for up to two minutes, and a request to an idle service (424) for 20 seconds.",
    default: 6,
  },
  allowUnlisted: {
    schema: listOf(label()),
    fromText: names,
    description:
      'The names of arguments, such as `"region"`, that accept values this release does not know: such a value causes a warning instead of an error. With `"name"`, the name of a service accepts any characters.',
  },
  rateLimit: {
    schema: z.string(RATE_LIMIT).refine((text) => parseRateLimit(text) !== undefined, RATE_LIMIT),
    description:
      "The rate limit of the API for one key, such as `10 per 10 s`. By default, each process learns it from responses. With `rateLimitUrl` it is required, in whole seconds.",
  },
  rateLimitUrl: {
    schema: url(REDIS_URL).refine(isRedisUrl, REDIS_URL),
    description:
      "The URL of a Redis or Valkey server, through which all processes that use the same API key share the limit of `rateLimit`: `rediss://user:password@host:6379`, or `redis://` without TLS.",
    secret: true,
  },
  journal: {
    schema: label().refine(
      (text) => text === "off" || isAbsolute(text) || isRedisUrl(text),
      JOURNAL,
    ),
    description:
      "The place of the creation journal, a memory of services that a crash may keep out of the stack: an absolute path of a folder, the URL of a Redis or Valkey server, or `off`. By default the folder `clouddb-creations` in Pulumi's home.",
    secret: true,
  },
  allowInsecureHttp: {
    ...truth,
    description:
      "Whether URLs of other machines may use plain HTTP, which sends credentials unencrypted.",
    default: false,
  },
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof settingsTable;
export type Settings = { [Key in SettingKey]?: z.output<(typeof settingsTable)[Key]["schema"]> };

/** The valid settings and all problems. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly mappings: Mappings;
  /** The variables behind settings from the environment, by setting. */
  readonly fromEnvironment: ReadonlyMap<string, string>;
  readonly problems: readonly Message[];
  /** The settings with a problem. */
  readonly refused: ReadonlySet<string>;
  /** Problems that fail only a preview, so that older stacks can still refresh. */
  readonly previewProblems: readonly Message[];
}

/**
 * Reads each setting from the configuration, or else from the environment. An empty text counts as
 * absent.
 */
export function readSettings(
  configured: (key: string) => unknown,
  environment: Environment,
): ReadSettings {
  const settings: Record<string, unknown> = {};
  const problems: Message[] = [];
  const refused = new Set<string>();
  const fromEnvironment = new Map<string, string>();
  const refuse = (key: string, problem: Message) => {
    delete settings[key];
    refused.add(key);
    problems.push(problem);
  };
  const mappings = mappingsIn(configured(settingKey(VARIABLE_MAPPINGS)));
  problems.push(...problemsOfMappings(mappings));
  const variables = variablesOf(environment, mappings);
  for (const [key, setting] of Object.entries<Setting>(settingsTable)) {
    const { source: variable, isMapped, value: found } = variables(settingVariable(key));
    const stored = present(configured(settingKey(key)));
    const raw = stored ?? found ?? (isMapped ? undefined : setting.default);
    if (raw === undefined) {
      const source = `${VARIABLE_MAPPINGS} of the provider reads ${settingKey(key)}`;
      const rule = `${variable} is not set: ${source} from this variable only. Set the variable.`;
      if (isMapped) refuse(key, coded("CDB2001", rule));
      continue;
    }
    if (stored === undefined && found !== undefined) fromEnvironment.set(key, variable);
    const result = parse(setting, raw, settingName(key, variable));
    if ("problem" in result) refuse(key, result.problem);
    else settings[key] = result.value;
  }
  for (const key of ["baseUrl", "observabilityUrl"] as const) {
    const problem = problemOfPlainHttp(key, settings, fromEnvironment.get(key));
    if (problem !== undefined) refuse(key, problem);
  }
  const sharing = refused.has("rateLimit") ? [] : problemsOfSharing(settings);
  const previewProblems = [...sharing, ...unlistedNames((settings as Settings).allowUnlisted)];
  const found = { mappings, fromEnvironment, problems, refused, previewProblems };
  return { settings: settings as Settings, ...found };
}

function parse(
  setting: Setting,
  raw: unknown,
  name: string,
): { readonly value: unknown } | { readonly problem: Message } {
  const value = typeof raw === "string" && setting.fromText ? setting.fromText(raw) : raw;
  const { data, error } = setting.schema.safeParse(value);
  if (error === undefined) return { value: data };
  // An unmarked text may be a key's secret in the wrong setting.
  const isQuoted = typeof value !== "string" || setting.schema instanceof z.ZodEnum;
  const named = nameWithValue(name, { secret: setting.secret || !isQuoted }, value);
  return { problem: coded("CDB2002", `${named} is invalid: ${error.issues[0]?.message}.`) };
}

/** Plain HTTP to another machine would send the credentials unencrypted. */
function problemOfPlainHttp(
  key: "baseUrl" | "observabilityUrl",
  { [key]: url, allowInsecureHttp }: Settings,
  variable: string | undefined,
): Message | undefined {
  if (url === undefined || allowInsecureHttp || /^https:/.test(url) || isLoopback(url))
    return undefined;
  const reason = "must use https, since plain HTTP sends the credentials unencrypted";
  const advice = `to allow it, set ${settingName("allowInsecureHttp")} to true`;
  return coded("CDB2003", `${settingName(key, variable)} ${url} is invalid: ${reason}; ${advice}.`);
}

/** A class stores the mappings as JSON. */
function mappingsIn(stored: unknown): Mappings {
  if (stored === undefined) return [];
  return Object.entries(fromJson(String(stored)) ?? {}).map(([source, target]) => [
    source,
    String(target),
  ]);
}

/** A misspelled or reversed mapping would use another account's variable. */
function problemsOfMappings(mappings: Mappings): Message[] {
  const variables = Object.keys(settingsTable).map(settingVariable);
  const targets = mappings.map(([, target]) => target);
  return mappings.flatMap(([source, target], index) => {
    // Pulumi has already replaced the source, or replaces the target in any order.
    if (targets.includes(source) || targets.indexOf(target) !== index) {
      const rule =
        "no variable may replace one that is itself replaced, or that another one replaces";
      return coded(
        "CDB2002",
        `${VARIABLE_MAPPINGS} is invalid: it maps ${source} to ${target}; ${rule}.`,
        "Use a variable of another name.",
      );
    }
    const isReversed = variables.includes(source);
    const advice =
      didYouMean(target, variables) ?? (isReversed ? "name your own variable first." : undefined);
    if (variables.includes(target) || advice === undefined) return [];
    return coded(
      "CDB2002",
      `${VARIABLE_MAPPINGS} is invalid: it maps ${source} to ${target}; ${advice}`,
    );
  });
}

/** A shared limit requires a value in whole seconds. */
function problemsOfSharing({ rateLimit = "", rateLimitUrl }: Settings): Message[] {
  if (rateLimitUrl === undefined) return [];
  const [setting, url] = [settingName("rateLimit"), settingName("rateLimitUrl")];
  const limit = parseRateLimit(rateLimit);
  if (limit === undefined) {
    const problem = coded(
      "CDB2001",
      `${setting} is not set, and processes share that limit through ${url}:`,
      "set it to the API's limit for one key, such as `10 per 10 s`.",
    );
    return [problem];
  }
  if (limit.windowMs % 1000 === 0) return [];
  return [
    coded("CDB2002", `${setting} "${rateLimit}" is invalid: must be in whole seconds with ${url}.`),
  ];
}

/** Parses a rate limit such as `10 per 10 s`; undefined for other texts. */
export function parseRateLimit(text: string): Limit | undefined {
  const [, requests, seconds] = /^([1-9]\d{0,5}) per (\d{1,4}(?:\.\d{1,3})?) s$/.exec(text) ?? [];
  const windowMs = 1000 * Number(seconds);
  return windowMs > 0 ? { requests: Number(requests), windowMs } : undefined;
}

/** Parses a list: JSON, as in a stack's configuration, or names separated by commas. */
function names(list: string): unknown {
  const trimmed = list.split(",").map((name) => name.trim());
  return /^\s*\[/.test(list) ? (fromJson(list) ?? list) : trimmed.filter((name) => name !== "");
}

/** Parses JSON; undefined for other texts. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function present(value: unknown): unknown {
  return value === "" || value === null ? undefined : value;
}

/** The normalized URL; undefined if it cannot be a base URL. */
function parseAddress(text: string): string | undefined {
  if (WHITESPACE.test(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Refuses credentials, a query and a fragment, even if empty.
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.href !== url.origin + url.pathname
  )
    return undefined;
  const parsed = url.href.replace(/\/+$/, "");
  return /\/(v1|api\/v2)$/.test(parsed) ? undefined : parsed;
}

function isRedisUrl(text: string): boolean {
  try {
    const { protocol, hostname, pathname, username, password } = new URL(text);
    decodeURIComponent(`${username}:${password}`);
    return (
      /^rediss?:$/.test(protocol) &&
      hostname !== "" &&
      /^(\/\d*)?$/.test(pathname) &&
      !/[?#]/.test(text)
    );
  } catch {
    return false;
  }
}

/** The secrets in requests, plain and encoded. */
export function credentialSecrets(settings: Settings): (string | undefined)[] {
  const { keyId = "", keySecret, accessToken, rateLimitUrl, journal } = settings;
  const header = keySecret && encodedLogin(keyId, keySecret).replace(/=+$/, "");
  // A journal's address without a password is not secret, since messages name it.
  const servers = [rateLimitUrl, passwordIn(journal) === "" ? undefined : journal];
  const ofServers = servers.flatMap((url) => [
    url,
    passwordIn(url),
    decodeURIComponent(passwordIn(url)),
  ]);
  return [keySecret, header, accessToken, ...ofServers];
}

function passwordIn(url: string | undefined): string {
  return url === undefined || isAbsolute(url) || !URL.canParse(url) ? "" : new URL(url).password;
}
