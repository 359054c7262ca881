import type { FastifyInstance, FastifyRequest } from "fastify";
import { type FaultEffect, type Hooks, hooksOf } from "./faults/effects";
import type { Simulation } from "./simulation";

/** What happens around every request of the API: it is counted, hampered and noted. */

declare module "fastify" {
  interface FastifyRequest {
    startedAt: number;
    fault: FaultEffect | undefined;
    hooks: Hooks | undefined;
  }
}

/** The status that is noted of a request whose connection broke. */
const BROKEN = 0;

/** Unknown paths are noted, too; what is not the API's is not. */
const API_PATHS = /^\/(v1|api)\//;

export function addJournal(app: FastifyInstance, { journal, happenings, clock }: Simulation): void {
  function note(request: FastifyRequest, status: number): void {
    const { id: requestId, method, url: path, body = null, startedAt, fault } = request;
    const entry = journal.add({
      requestId,
      method,
      path,
      body,
      status,
      at: new Date(clock.now()).toISOString(),
      milliseconds: Math.round(performance.now() - startedAt),
      ...(fault && { fault: fault.kind }),
    });
    happenings.emit("request", entry);
  }
  app.decorateRequest("startedAt", 0);
  app.decorateRequest("fault", undefined);
  app.decorateRequest("hooks", undefined);
  app.addHook("onRequest", async (request, { raw }) => {
    if (!API_PATHS.test(request.url)) return;
    request.startedAt = performance.now();
    // Unlike the framework's own hook, this also comes for a connection that broke.
    raw.once("close", () => note(request, raw.writableFinished ? raw.statusCode : BROKEN));
  });
}

export function addRateLimit(api: FastifyInstance, { rateLimiter, clock }: Simulation): void {
  // Behind the check of the key, before a body is read.
  api.addHook("preParsing", async ({ routeOptions }) => {
    const { scheme } = routeOptions.config as { scheme?: string };
    // There is one key for each scheme.
    if (scheme !== undefined) rateLimiter.admit(scheme, clock.now());
  });
}

export function addFaults(api: FastifyInstance, { faults, clock }: Simulation): void {
  api.addHook("preHandler", async (request, reply) => {
    request.fault = faults.effectFor(request.method, request.url, clock.now());
    if (request.fault === undefined) return undefined;
    request.hooks = hooksOf(request.fault);
    return request.hooks.before?.(request, reply);
  });
  api.addHook("preSerialization", async ({ hooks }, _reply, answer) => hooks?.answer?.(answer) ?? answer);
  api.addHook("onSend", async ({ hooks }, reply, text) => (hooks?.send ? hooks.send(String(text), reply) : text));
}
