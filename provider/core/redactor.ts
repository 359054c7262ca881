import { isAbsolute } from "node:path";
import { createRedactor } from "pulumi-clouddb-facts";
import { encodedKey } from "../api/http";
import { codeOf, type Message, textOf, withCode } from "../errors";

/** The texts among arguments, also in small letters, in which a request carries ids. */
export function idsIn(args: object): string[] {
  const ids = Object.values(args).filter((value): value is string => typeof value === "string");
  return ids.flatMap((id) => [id, id.toLowerCase()]);
}

/** A text without these ids. */
export function withoutIds(coded: Message, ids: readonly string[]): Message {
  const redactor = createRedactor();
  redactor.addSecrets(idsIn(ids));
  // The end of a code could look like the beginning of an id.
  return withCode(codeOf(coded), redactor.redact(textOf(coded)));
}

/** The settings that hold secrets. */
interface Credentials {
  readonly keyId?: string;
  readonly keySecret?: string;
  readonly accessToken?: string;
  readonly rateLimitUrl?: string;
  readonly journal?: string;
}

/** The secrets that are sent to servers, as they are and as a server sees them. */
export function credentialSecrets({
  keyId = "",
  keySecret,
  accessToken,
  rateLimitUrl,
  journal,
}: Credentials): string[] {
  const encoded = keySecret === undefined ? [] : [keySecret, encodedKey(keyId, keySecret).replace(/=+$/, "")];
  // A journal without a password is a place, which messages name.
  const servers = [rateLimitUrl, passwordIn(journal) === "" ? undefined : journal];
  const ofServers = servers.flatMap((url) => [url, passwordIn(url), decodeURIComponent(passwordIn(url))]);
  return [...encoded, accessToken, ...ofServers].filter((text) => text !== undefined && text !== "") as string[];
}

function passwordIn(url: string | undefined): string {
  return url === undefined || isAbsolute(url) || !URL.canParse(url) ? "" : new URL(url).password;
}
