import type { IncomingHttpHeaders } from "node:http";

/** The names of the simulator's only address. */
const OWN_NAMES = ["127.0.0.1", "localhost"];

/** True for a request to this machine's own name, without a proxy. */
export function isLocalRequest({
  host,
  forwarded,
  "x-forwarded-for": forwardedFor,
}: IncomingHttpHeaders): boolean {
  // A foreign name that resolves to this machine would give a foreign page this origin (DNS
  // rebinding).
  const name = parseUrl(`http://${host}`)?.hostname ?? "";
  return OWN_NAMES.includes(name) && (forwarded ?? forwardedFor) === undefined;
}

/** True for a browser's request from another site's page. */
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
