import { readFileSync } from "node:fs";
import { type JsonReport, jsonReport } from "../json-report";
import { PostError } from "./post";
import { createRequester, isLoopback, type Part } from "./request";

/** The report in a file that --json has written. */
export function readReport(file: string): JsonReport {
  const report = parsed(readFileSync(file, "utf8"));
  const { data } = jsonReport.safeParse(report);
  // The report itself, since that of a later version may have more fields.
  if (data !== undefined && data.stacks.length > 0) return report as JsonReport;
  throw new PostError(`${file} is not a report in JSON: pass the file that clouddb-report --json writes`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** Such servers answer with `ok`, JSON or nothing. */
const ACCEPTANCE: Part<true> = { name: "an acceptance", in: (_, text = "") => (/^\s*</.test(text) ? undefined : true) };

/** A server may repeat a part of the URL in its answer, an error of the network the host. */
function secretsIn({ href, origin, host, hostname, pathname, search }: URL, url: string): string[] {
  const values = search.split(/[?&]/).map((parameter) => parameter.slice(parameter.indexOf("=") + 1));
  const parts = [...pathname.split("/"), ...values];
  return [url, href, origin + pathname, pathname, pathname + search, host, hostname, ...parts, ...parts.map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
