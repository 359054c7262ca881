import { setMaxListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { Problem } from "./api/problem";

declare module "fastify" {
  interface FastifyInstance {
    /** Aborted when the server ends: what waits goes on at once. */
    ending: AbortSignal;
  }
  interface FastifyContextConfig {
    /** An answer that has no end, so that nobody waits for it. */
    readonly endless?: boolean;
  }
}

/** With what comes after it, the end takes ten seconds at most. */
const LONGEST_DRAIN_MS = 9_000;

/** Passes after a while, or when the server ends. */
export async function pause(server: FastifyInstance, milliseconds: number): Promise<void> {
  await sleep(milliseconds, undefined, { ref: false, signal: server.ending }).catch(() => undefined);
}

/** A server that closes takes no new requests, answers those that have begun, and only then ends. */
export function addDrain(app: FastifyInstance): void {
  const ending = new AbortController();
  const open = new Set<ServerResponse>();
  let onAllAnswered = () => {};
  setMaxListeners(0, ending.signal);
  app.decorate("ending", ending.signal);

  app.addHook("onRequest", async ({ routeOptions }, { raw }) => {
    if (ending.signal.aborted) {
      const message = "the simulator is shutting down; the request was not carried out";
      throw new Problem(503, "SHUTTING_DOWN", message, { connection: "close" });
    }
    if (routeOptions.config.endless) return;
    open.add(raw);
    raw.once("close", () => {
      open.delete(raw);
      if (open.size === 0) onAllAnswered();
    });
  });

  app.addHook("preClose", async () => {
    ending.abort();
    app.server.close();
    for (const raw of open) if (!raw.headersSent) raw.setHeader("connection", "close");
    if (open.size === 0) return;
    const allAnswered = new Promise<void>((resolve) => {
      onAllAnswered = resolve;
    });
    await Promise.race([allAnswered, sleep(LONGEST_DRAIN_MS, undefined, { ref: false })]);
  });
}
