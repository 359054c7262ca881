import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../loopback";

/** Whether a request comes from this machine, and from no page of another site. */
export function isTrusted(remoteAddress: string, headers: IncomingHttpHeaders): boolean {
  const own = urlOf(`http://${headers.host}`);
  // A name or address of somebody else's that leads here would make their page look like ours.
  if (own === undefined || !isLoopback(own.hostname.replace(/^\[|\]$/g, ""))) return false;
  const { origin, "sec-fetch-site": site } = headers;
  const isForeign =
    (origin !== undefined && urlOf(origin)?.origin !== own.origin) ||
    !["same-origin", "none", undefined].includes(site as string | undefined);
  return isLoopback(remoteAddress.replace("::ffff:", "")) && !isForeign;
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
