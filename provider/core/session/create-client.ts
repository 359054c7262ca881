import { basic } from "pulumi-clouddb-facts";
import { type Client, createClient, type Dependencies } from "../../api/client";
import type { Api } from "../../api/endpoints";
import type { KeyOrigin } from "../../api/errors";
import { bearer } from "../../api/http";
import { learnedQuota } from "../../api/learned-limit";
import { createRateLimiter, type RateLimiter } from "../../api/rate-limiter";
import { coded, joinProblems, type Message } from "../../errors";
import { settingKey, settingName, userAgent } from "../../names";
import { SETTINGS_FOR, UserError } from "../object/user-error";
import {
  parseRateLimit,
  type ReadSettings,
  type SettingKey,
  type Settings,
  settingsTable,
} from "./settings";
import { sharedQuota, windowKey } from "./shared-quota";

/** Messages about required settings of an interface that are not set. */
export function missingSettings(to: Api, { settings, refused }: ReadSettings): Message[] {
  const { address, credentials } = SETTINGS_FOR[to];
  const needed: readonly SettingKey[] = [address, ...credentials];
  return needed
    .filter((key) => settings[key] === undefined && !refused.has(key))
    .map((key) => {
      const command = `pulumi config set${"secret" in settingsTable[key] ? " --secret" : ""}`;
      const ways = `use \`${command}\`, an argument of the provider, or the environment variable`;
      return coded("CDB2001", `${settingName(key)} is not set: ${ways}.`);
    });
}

/** Creates a client for one interface. Throws all problems in settings at once. */
export function configureClient(to: Api, read: ReadSettings, dependencies: Dependencies): Client {
  const { settings, problems } = read;
  const problem = joinProblems([...problems, ...missingSettings(to, read)]);
  if (problem !== undefined) throw new UserError(problem);
  const { address } = SETTINGS_FOR[to];
  // Checked above: this interface's settings are set, and the rest has defaults.
  const { keyId, keySecret, accessToken, requestTimeoutSeconds, maxRetries, ...rest } =
    settings as Required<Settings>;
  const baseUrl = rest[address];
  return createClient(
    {
      baseUrl,
      authorization: to === "management" ? basic(keyId, keySecret) : bearer(accessToken),
      requestTimeoutSeconds,
      maxRetries,
      userAgent: userAgent(),
      keyOrigin: keyOrigin(to, read),
    },
    { ...dependencies, rateLimiter: rateLimiterFor(baseUrl, settings, dependencies) },
  );
}

/**
 * The place that the key comes from. The stack stores keys from its configuration or from a
 * provider's arguments.
 */
function keyOrigin(to: Api, { fromEnvironment }: ReadSettings): KeyOrigin {
  const { credentials }: { readonly credentials: readonly SettingKey[] } = SETTINGS_FOR[to];
  const stored = credentials.filter((key) => !fromEnvironment.has(key)).map(settingKey);
  const variables = credentials.flatMap((key) => fromEnvironment.get(key) ?? []);
  const places = [
    ...(stored.length > 0
      ? [`${stored.join(" and ")} in the stack's configuration or the provider's arguments`]
      : []),
    ...(variables.length > 0 ? [`${variables.join(" and ")} in the environment`] : []),
  ];
  return { name: places.join(", and "), isStored: stored.length > 0 };
}

/** The rate limiter of this process, or of all processes that share a Redis server. */
function rateLimiterFor(
  baseUrl: string,
  settings: Settings,
  dependencies: Dependencies,
): RateLimiter {
  const { keyId, rateLimit, rateLimitUrl } = settings;
  const limit = rateLimit === undefined ? undefined : parseRateLimit(rateLimit);
  const quota =
    limit === undefined || limit.windowMs % 1000 !== 0 || rateLimitUrl === undefined
      ? learnedQuota(dependencies.clock, limit)
      : sharedQuota(dependencies, rateLimitUrl, limit, windowKey(baseUrl, keyId));
  return createRateLimiter(dependencies.clock, dependencies.log, quota);
}
