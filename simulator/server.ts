import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { addAdmin } from "./admin";
import { requireBasic, requireBearer } from "./authentication";
import { createFaults, type FaultEffect } from "./faults";
import { createJournal, type Journal } from "./journal";
import { addManagement } from "./management";
import { addObservability } from "./observability";
import { Problem } from "./problem";
import { type Seed, worldFrom } from "./seed";
import type { Credentials, Simulation } from "./simulation";
import { type Organization, standardOrganization } from "./world";

export interface ServerOptions extends Credentials {
  readonly organization?: Partial<Pick<Organization, "id" | "tier" | "paid">>;
  /** What there is at the start, instead of one empty organization. */
  readonly seed?: Seed;
}

const LARGEST_BODY_BYTES = 1024 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    fault?: FaultEffect | undefined;
  }
}

/** The API as a server that is not listening yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const app = fastify({ bodyLimit: LARGEST_BODY_BYTES, genReqId: () => randomUUID(), forceCloseConnections: true });
  app.removeContentTypeParser("text/plain");
  const world = worldFrom(seedOf(options));
  const reset = () => {
    Object.assign(world, worldFrom(seedOf(options)));
  };
  const simulation: Simulation = {
    world,
    journal: createJournal(),
    faults: createFaults(),
    reset,
    credentials: options,
  };

  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    answerError(new Problem(404, "NOT_FOUND", `there is no ${request.method} ${request.url}`), request, reply);
  });
  for (const [requireKey, addRoutes] of [
    [requireBasic, addManagement],
    [requireBearer, addObservability],
  ] as const) {
    app.register(async (api) => {
      api.addHook("onRequest", async ({ headers }) => requireKey(headers.authorization, simulation.credentials));
      addFaults(api, simulation);
      addJournal(api, simulation);
      addRoutes(api, simulation);
    });
  }
  app.register(async (admin) => addAdmin(admin, simulation), { prefix: "/__admin" });
  return app;
}

function seedOf({ seed, organization }: ServerOptions): Seed {
  return seed ?? { organizations: [{ ...standardOrganization(organization), services: [] }] };
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error);
  const body = { requestId: request.id, error: `${problem.code}: ${problem.message}`, status: problem.status };
  reply.code(problem.status).headers(problem.headers).send(body);
}

/** Errors of the framework in the API's own form. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  const code = { 400: "BAD_REQUEST", 413: "PAYLOAD_TOO_LARGE", 415: "UNSUPPORTED_MEDIA_TYPE" }[statusCode];
  return code ? new Problem(statusCode, code, message) : new Problem(500, "INTERNAL_ERROR", message);
}

/** What became of a request whose connection was broken on purpose. */
const BROKEN = 0;

function addFaults(api: FastifyInstance, { faults, journal }: Simulation): void {
  const breakOff = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    noteRequest(journal, request, BROKEN);
    request.raw.socket.resetAndDestroy();
  };
  api.addHook("preHandler", async (request, reply) => {
    const effect = faults.effectFor(request.method, request.url);
    request.fault = effect;
    if (effect?.kind === "latency") await new Promise((resolve) => setTimeout(resolve, effect.milliseconds));
    if (effect?.kind === "reset" && effect.when === "before") breakOff(request, reply);
    if (effect?.kind === "status") {
      const body = effect.body ?? { requestId: request.id, error: "FAULT: as a rule asks", status: effect.status };
      reply.code(effect.status).headers(effect.headers ?? {});
      return reply.send(body);
    }
  });
  api.addHook("preSerialization", async ({ fault }, _reply, payload) => {
    if (fault?.kind !== "answer") return payload;
    const { result, ...envelope } = payload as { result?: { service?: object } };
    if (result === undefined) return payload;
    const isCreation = result.service !== undefined;
    const password = "password" in fault ? { password: fault.password } : {};
    const changed = isCreation ? { service: { ...result.service, ...fault.result }, ...password } : fault.result;
    return { ...envelope, result: { ...result, ...changed } };
  });
  api.addHook("onSend", async (request, reply, payload) => {
    const { fault } = request;
    if (fault?.kind === "malformed") return "{ this is no JSON";
    if (fault?.kind === "truncated") {
      const text = String(payload);
      reply.raw.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      await new Promise((resolve) => reply.raw.write(text.slice(0, text.length / 2), resolve));
    }
    if (fault?.kind === "truncated" || fault?.kind === "reset") breakOff(request, reply);
    return payload;
  });
}

function addJournal(api: FastifyInstance, { journal }: Simulation): void {
  api.addHook("onResponse", async (request, reply) => noteRequest(journal, request, reply.statusCode));
}

function noteRequest(journal: Journal, { method, url, body = null }: FastifyRequest, status: number): void {
  journal.add({ method, path: url, body, status, at: new Date().toISOString() });
}
