import type { IncomingHttpHeaders } from "node:http";

/** The names of the only address that the simulator listens on. */
const OWN_NAMES = ["127.0.0.1", "localhost"];

/** True for a request under one of this machine's own names, which no proxy has forwarded. */
export function isLocalRequest({
  host,
  forwarded,
  "x-forwarded-for": forwardedFor,
}: IncomingHttpHeaders): boolean {
  // With a foreign name that resolves to this machine, a foreign page would have our origin (DNS
  // rebinding).
  const name = parseUrl(`http://${host}`)?.hostname ?? "";
  return OWN_NAMES.includes(name) && (forwarded ?? forwardedFor) === undefined;
}

/** True if a browser sends the request for another site's page. */
export function isCrossSite({
  host,
  origin,
  "sec-fetch-site": site,
}: IncomingHttpHeaders): boolean {
  if (site !== undefined) return !["same-origin", "none"].includes(String(site));
  return origin !== undefined && parseUrl(origin)?.origin !== parseUrl(`http://${host}`)?.origin;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
