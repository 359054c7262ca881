import { setMaxListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../operations/api-error";

declare module "fastify" {
  interface FastifyInstance {
    /** Aborted when the server shuts down: delays end at once. */
    shutdown: AbortSignal;
  }
}

/** Leaves one of the promised ten seconds for the rest. */
const SHUTDOWN_TIMEOUT_MS = 9_000;

/** Resolves after a while, or when the server shuts down. */
export async function delay(server: FastifyInstance, milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { ref: false, signal: server.shutdown }).catch(() => undefined);
}

/** Graceful shutdown: a closing server refuses new requests and answers those in flight before it ends. */
export function registerGracefulShutdown(app: FastifyInstance): void {
  const shutdown = new AbortController();
  const inFlight = new Set<ServerResponse>();
  let onIdle = () => {};
  setMaxListeners(0, shutdown.signal);
  app.decorate("shutdown", shutdown.signal);

  app.addHook("onRequest", async (_request, { raw }) => {
    if (shutdown.signal.aborted) {
      const message = "the simulator is shutting down; the request was not executed";
      throw new ApiError(503, "SHUTTING_DOWN", message, { connection: "close" });
    }
    inFlight.add(raw);
    raw.once("close", () => {
      inFlight.delete(raw);
      if (inFlight.size === 0) onIdle();
    });
  });

  app.addHook("preClose", async () => {
    shutdown.abort();
    app.server.close();
    for (const raw of inFlight) if (!raw.headersSent) raw.setHeader("connection", "close");
    if (inFlight.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve;
    });
    await Promise.race([idle, sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })]);
  });
}
