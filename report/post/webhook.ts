import { readFileSync } from "node:fs";
import { type JsonReport, jsonReport } from "../json-report";
import { decoded, parsed } from "../read/text";
import { PostError } from "./post";
import { createRequester, isLoopback, memberOf, type Part } from "./request";

/** The report in a file that --json has written. */
export function readReport(file: string): JsonReport {
  const report = parsed(readFileSync(file, "utf8"));
  const { data } = jsonReport.safeParse(report);
  // The report itself, since that of a later version may have more fields.
  if (data !== undefined && data.stacks.length > 0) return report as JsonReport;
  throw new PostError(`${file} is not a report in JSON: pass the file that clouddb-report --json writes`);
}

/** Sends a message to a URL that is a secret. */
export async function postToWebhook(url: string, message: object): Promise<void> {
  if (url === "") throw new PostError("missing URL of the webhook: set CLOUDDB_WEBHOOK_URL");
  if (!URL.canParse(url)) throw new PostError("the URL of the webhook is not a URL");
  if (new URL(url).protocol !== "https:" && !(new URL(url).protocol === "http:" && isLoopback(url)))
    throw new PostError("the URL of the webhook must be an https URL, since whoever reads it can send messages");
  const request = createRequester({
    secrets: secretsIn(new URL(url), url),
    check: "Check the URL of the webhook.",
    doubt: "The message may have arrived.",
  });
  await request("POST", url, ACCEPTANCE, message);
}

/** Such servers answer with `ok`, JSON or nothing; some of them with 200 for a failure, too. */
const ACCEPTANCE: Part<true> = {
  name: "an acceptance",
  in: (_, text = "") => (/^\s*</.test(text) ? undefined : true),
  refusal: (json) => (memberOf(json, "ok") === false ? String(memberOf(json, "error") ?? "refused") : undefined),
};

/** A server may repeat a part of the URL in its answer, an error of the network the host. */
function secretsIn(address: URL, url: string): string[] {
  const { href, origin, host, hostname, pathname, search, username, password } = address;
  const values = search.split(/[?&]/).map((parameter) => parameter.slice(parameter.indexOf("=") + 1));
  const parts = [...pathname.split("/"), ...values];
  const user = [username, password].map(decoded);
  // As the header for it has them, and as errors of the network name an IPv6 address.
  const header = user.join("") === "" ? "" : Buffer.from(user.join(":")).toString("base64");
  const hosts = [host, hostname, hostname.replace(/^\[|\]$/g, "")];
  const places = [url, href, origin + pathname, pathname, pathname + search, ...hosts];
  return [...places, username, password, ...user, header, ...parts, ...parts.map(decoded)];
}
