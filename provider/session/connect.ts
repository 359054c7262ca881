import {
  type Api,
  basic,
  bearer,
  type Client,
  createClient,
  createRateLimiter,
  createSharedRateLimiter,
  type Dependencies,
  type RateLimiter,
} from "../api";
import { settingName } from "../fields";
import { SETTINGS_FOR, UserError } from "../lifecycle/user-error";
import { userAgent } from "../process/version";
import { redisSharing } from "../redis/redis-sharing";
import type { ReadSettings, SettingKey, Settings } from "../settings/settings";

/** A client of one interface; what is wrong with the settings, or missing, is said all at once. */
export function connect(to: Api, { settings, problems }: ReadSettings, dependencies: Dependencies): Client {
  const { address, credentials } = SETTINGS_FOR[to];
  const needed: readonly SettingKey[] = [address, ...credentials];
  const missing = needed
    .filter((key) => settings[key] === undefined && !problems.some((problem) => problem.includes(settingName(key))))
    .map((key) => `${settingName(key)} is not set: use \`pulumi config set\` or the environment variable.`);
  const mistakes = [...problems, ...missing];
  if (mistakes.length > 0) throw new UserError(mistakes.join(" "));
  // What this interface needs is there, as was just seen; the others have defaults.
  const { keyId, keySecret, accessToken, requestTimeoutSeconds, maxRetries, ...rest } = settings as Required<Settings>;
  const baseUrl = rest[address];
  return createClient(
    {
      baseUrl,
      authorization: to === "management" ? basic(keyId, keySecret) : bearer(accessToken),
      requestTimeoutSeconds,
      maxRetries,
      userAgent,
    },
    { ...dependencies, rateLimiter: rateLimiterFor(baseUrl, settings, dependencies) },
  );
}

/** Paces the requests of this process, together with those of others where a server is set that they share. */
function rateLimiterFor(
  baseUrl: string,
  { keyId, rateLimitUrl }: Settings,
  { clock, random, log, redact, cancellation }: Dependencies,
): RateLimiter {
  const local = createRateLimiter(clock, log, cancellation);
  if (rateLimitUrl === undefined) return local;
  const sharing = redisSharing(rateLimitUrl, { baseUrl, keyId }, redact);
  return createSharedRateLimiter(sharing, local, { clock, random, log, cancellation });
}
