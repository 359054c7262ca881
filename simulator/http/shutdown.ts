import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../operations/api-error";

declare module "fastify" {
  interface FastifyInstance {
    /** Aborted at shutdown, to end delays. */
    shutdown: AbortSignal;
  }
}

/** Leaves one second of the promised ten for the rest. */
const SHUTDOWN_TIMEOUT_MS = 9_000;

/** Waits for a time, or until the server shuts down. */
export async function delay(server: FastifyInstance, milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { ref: false, signal: server.shutdown }).catch(
    () => undefined,
  );
}

/** Refuses new requests at shutdown, and answers requests in flight. */
export function registerGracefulShutdown(app: FastifyInstance): void {
  const shutdown = new AbortController();
  const inFlight = new Set<Promise<void>>();
  setMaxListeners(0, shutdown.signal);
  app.decorate("shutdown", shutdown.signal);

  app.addHook("onRequest", async (_request, { raw }) => {
    if (shutdown.signal.aborted) {
      throw new ApiError(
        503,
        "SHUTTING_DOWN",
        "the simulator is shutting down; the request was not executed",
      );
    }
    const closed = new Promise<void>((resolve) => raw.once("close", resolve));
    inFlight.add(closed);
    void closed.then(() => inFlight.delete(closed));
  });
  app.addHook("onSend", async (_request, reply) => {
    if (shutdown.signal.aborted) reply.header("connection", "close");
  });
  app.addHook("preClose", async () => {
    shutdown.abort();
    app.server.close();
    await Promise.race([
      Promise.all(inFlight),
      sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false }),
    ]);
  });
}
