import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "./loopback";

/** Whether a request comes from this machine, and not from another site's page. */
export function isLocalRequest(remoteAddress: string, headers: IncomingHttpHeaders): boolean {
  const self = parseUrl(`http://${headers.host}`);
  // With a foreign name that resolves to this machine, a foreign page would have our origin (DNS rebinding).
  if (self === undefined || !isLoopback(self.hostname.replace(/^\[|\]$/g, ""))) return false;
  const { origin, "sec-fetch-site": site } = headers;
  const isCrossSite =
    (origin !== undefined && parseUrl(origin)?.origin !== self.origin) ||
    !["same-origin", "none", undefined].includes(site as string | undefined);
  return isLoopback(remoteAddress.replace("::ffff:", "")) && !isCrossSite;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
