import type { FastifyInstance, FastifyRequest } from "fastify";
import type { FaultEffect } from "../simulation/fault-rules";
import type { Simulation } from "../simulation/simulation";
import { type FaultHooks, faultHooksFor } from "./fault-hooks";

/** Hooks around every request of the API: the journal, the rate limit and injected faults. */

declare module "fastify" {
  interface FastifyRequest {
    startedAt: number;
    fault: FaultEffect | undefined;
    faultHooks: FaultHooks | undefined;
    outcome: Awaited<ReturnType<Simulation["execute"]>> | undefined;
  }
}

/** The status in the journal of a request whose connection broke. */
const BROKEN = 0;

/** Unknown paths of the API are in the journal, too; the page and the admin API are not. */
const API_PATHS = /^\/(v1|api)\//;

export function registerJournal(app: FastifyInstance, { journal, clock }: Simulation): void {
  function record(request: FastifyRequest, status: number): void {
    const { id: requestId, method, url: path, body = null, startedAt, fault, outcome } = request;
    const serviceId = outcome?.change?.service?.id;
    journal.add({
      requestId,
      method,
      path,
      body,
      status,
      at: new Date(clock.now()).toISOString(),
      milliseconds: Math.round(performance.now() - startedAt),
      ...(serviceId !== undefined && { serviceId }),
      ...(fault && { fault: fault.kind }),
    });
  }
  app.decorateRequest("startedAt", 0);
  app.decorateRequest("fault", undefined);
  app.decorateRequest("faultHooks", undefined);
  app.decorateRequest("outcome", undefined);
  app.addHook("onRequest", async (request, { raw }) => {
    if (!API_PATHS.test(request.url)) return;
    request.startedAt = performance.now();
    // Unlike the framework's own hook, this event also comes for a broken connection.
    raw.once("close", () => record(request, raw.writableFinished ? raw.statusCode : BROKEN));
  });
}

export function registerRateLimit(api: FastifyInstance, { rateLimiter, clock }: Simulation): void {
  // After authentication, before the body is read.
  api.addHook("preParsing", async ({ routeOptions }) => {
    const { scheme } = routeOptions.config as { scheme?: string };
    // There is one key for each scheme.
    if (scheme !== undefined) rateLimiter.admit(scheme, clock.now());
  });
}

export function registerFaults(api: FastifyInstance, { faultRules }: Simulation): void {
  api.addHook("preHandler", async (request, reply) => {
    request.fault = faultRules.takeEffect(request.method, request.url);
    if (request.fault === undefined) return undefined;
    request.faultHooks = faultHooksFor(request.fault);
    return request.faultHooks.before?.(request, reply);
  });
  api.addHook(
    "preSerialization",
    async ({ faultHooks }, _reply, response) => faultHooks?.transformResponse?.(response) ?? response,
  );
  api.addHook("onSend", async ({ faultHooks }, reply, text) =>
    faultHooks?.send ? faultHooks.send(String(text), reply) : text,
  );
}
