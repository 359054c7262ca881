import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** True for a request from this machine under one of its own names, which no proxy has forwarded. */
export function isLocalRequest(remoteAddress: string, headers: IncomingHttpHeaders): boolean {
  const { host, forwarded = headers["x-forwarded-for"] } = headers;
  if (forwarded !== undefined) return false;
  const self = parseUrl(`http://${host}`);
  // With a foreign name that resolves to this machine, a foreign page would have our origin (DNS rebinding).
  if (self === undefined || !isLoopback(self.hostname.replace(/^\[|\]$/g, ""))) return false;
  return isLoopback(remoteAddress.replace("::ffff:", ""));
}

/** True if a browser sends the request for another site's page. */
export function isCrossSite({ host, origin, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return !["same-origin", "none"].includes(String(site));
  return origin !== undefined && parseUrl(origin)?.origin !== parseUrl(`http://${host}`)?.origin;
}

/** True for a loopback address or `localhost`. */
function isLoopback(address: string): boolean {
  const family = isIP(address);
  return address === "localhost" || (family !== 0 && loopback.check(address, family === 4 ? "ipv4" : "ipv6"));
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
