import { isIP } from "node:net";
import { isLoopback } from "../loopback";

/** Whether a request comes from this machine, and from no page of another site. */
export function isTrusted(remoteAddress: string, hostname: string, site: unknown): boolean {
  const isForeign = !["same-origin", "none", undefined].includes(site as string | undefined);
  // A name of somebody else's that leads here would make their page look like ours.
  const isNamed = hostname !== "localhost" && isIP(hostname.replace(/^\[|\]$/g, "")) === 0;
  return isLoopback(remoteAddress.replace("::ffff:", "")) && !isForeign && !isNamed;
}
