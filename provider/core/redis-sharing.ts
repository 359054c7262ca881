import { createHash, randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import { z } from "zod";
import type { Sharing } from "../api";
import { MAX_WAIT_MS } from "../api/shared-limit";
import { CodedError, coded } from "../errors";
import { settingName } from "../names";
import { COMMAND_TIMEOUT_MS, CONNECT_TIMEOUT_MS, redisCommands } from "./redis-connection";
import { SCRIPT } from "./script";

const MAX_COMMAND_TIMEOUT_MS = 5000;
/** A response may take so many times as long as the one before. */
const SLOWER = 4;
/** Raised when a state has another form, so that releases with different forms do not share one. */
const STATE_VERSION = 2;

const count = z.number().int().min(0);
const milliseconds = z.number().min(0);
/** The server may hold another script, or none: without a permit and without a wait, the process would spin. */
const answerSchema = z.object({
  granted: count,
  permit: z.number().int(),
  waitMs: milliseconds.transform((ms) => Math.min(MAX_WAIT_MS, Math.max(1, ms))),
  closedMs: milliseconds,
  processes: count,
  requests: z.number().positive().optional(),
  windowMs: z.number().positive().optional(),
});

/** A connection whose script takes the key of a state and a message. */
type Connection = Redis & { readonly respond: (key: string, message: string) => Promise<string> };

/** The owner of a rate limit: one key at one address. */
export interface LimitedKey {
  readonly baseUrl: string;
  readonly keyId: string | undefined;
}

/** Shares the rate limit of a key through Redis. It connects when it is first needed. */
export function redisSharing(url: string, limited: LimitedKey, redact: (text: string) => string): Sharing {
  const key = stateKey(limited);
  const server = new URL(url);
  const send = redisCommands<Connection>(server, redact, { respond: { lua: SCRIPT, numberOfKeys: 1 } });
  /** The time that the last response took; the first one may take longer, since the server has to load the script. */
  let tookMs = CONNECT_TIMEOUT_MS / SLOWER;

  return {
    // Short, because it stands in the state many times.
    process: randomBytes(6).toString("base64url"),
    async exchange(question) {
      // Many processes at once make a server slow, and it is still better than none.
      const timeoutMs = Math.min(MAX_COMMAND_TIMEOUT_MS, Math.max(COMMAND_TIMEOUT_MS, SLOWER * tookMs));
      try {
        const response = await send(timeoutMs, async (redis) =>
          JSON.parse(await redis.respond(key, JSON.stringify(question))),
        );
        tookMs = response.tookMs;
        const { success, data } = answerSchema.safeParse(response.result);
        if (!success) throw new Error(`the response of ${server.host} is not that of the provider's script`);
        return { ...data, granted: Math.min(data.granted, question.ask?.wanted ?? 0) };
      } catch (error) {
        const { message: reason } = error as Error;
        throw new CodedError(
          coded(
            "CDB3009",
            `Cannot share the rate limit through ${settingName("rateLimitUrl")}: ${reason}. This process throttles only its own requests until Redis can be used.`,
          ),
        );
      }
    },
  };
}

/** The name of a state. It does not show whose it is. */
export function stateKey({ baseUrl, keyId = "" }: LimitedKey): string {
  const hash = createHash("sha256").update(JSON.stringify([STATE_VERSION, baseUrl, keyId]));
  return `clouddb:limit:${hash.digest("hex").slice(0, 32)}`;
}
