import { type Api, basic, bearer, type Client, createClient, type Dependencies } from "../api";
import { settingName } from "../fields";
import { SETTINGS_FOR, UserError } from "../lifecycle/user-error";
import { userAgent } from "../process/version";
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
  return createClient(
    {
      baseUrl: rest[address],
      authorization: to === "management" ? basic(keyId, keySecret) : bearer(accessToken),
      requestTimeoutSeconds,
      maxRetries,
      userAgent,
    },
    dependencies,
  );
}
