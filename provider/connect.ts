import { basic, bearer, type Client, type Clock, createClient, type Interface } from "./api";
import type { ReadSettings, SettingKey, Settings } from "./config";
import { Complaint, SETTINGS_FOR } from "./failure";
import { settingName } from "./fields";
import { userAgent } from "./version";

/** What a client needs from the world around it. */
export interface Surroundings {
  readonly clock: Clock;
  readonly random: () => number;
  /** Tells the user something in one line. */
  readonly say: (line: string) => void;
  readonly redacted: (text: string) => string;
  /** Whether somebody is left who will store what a write does. */
  readonly isAwaited?: () => Promise<boolean>;
}

/** A client of one interface; what is wrong with the settings, or missing, is told all at once. */
export function connect(to: Interface, { settings, problems }: ReadSettings, surroundings: Surroundings): Client {
  const { address, credentials } = SETTINGS_FOR[to];
  const needed: readonly SettingKey[] = [address, ...credentials];
  const missing = needed
    .filter((key) => settings[key] === undefined && !problems.some((problem) => problem.includes(settingName(key))))
    .map((key) => `${settingName(key)} is missing: set it with \`pulumi config set\` or in the environment.`);
  const complaints = [...problems, ...missing];
  if (complaints.length > 0) throw new Complaint(complaints.join(" "));
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
    surroundings,
  );
}
