import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { addAdmin } from "./admin/routes";
import { Problem } from "./api/problem";
import { addOperations, addOtherMethods } from "./api/routes";
import { addDrain } from "./drain";
import { addFaults, addJournal, addRateLimit } from "./hooks";
import { addPage } from "./page/routes";
import type { Simulation } from "./simulation";
import { NotStoredError } from "./world/store";

const LARGEST_BODY_BYTES = 1024 * 1024;
const LONGEST_ID = 1000;

/** The API, what steers it and the page as a server that is not listening yet. */
export function createServer(simulation: Simulation): FastifyInstance {
  const app = fastify({
    bodyLimit: LARGEST_BODY_BYTES,
    genReqId: () => randomUUID(),
    // What is left after the drain: streams of events, and what was not answered in time.
    forceCloseConnections: true,
    return503OnClosing: false,
    // It would also cut a drain short.
    pluginTimeout: 0,
    // Parsed bodies are looked at by schemas and never merged into anything.
    onProtoPoisoning: "ignore",
    onConstructorPoisoning: "ignore",
    routerOptions: { maxParamLength: LONGEST_ID },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  });
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    answerError(new Problem(404, "NOT_FOUND", `there is no ${request.method} ${request.url}`), request, reply);
  });
  // Dates in answers are compared with it, so it is the simulator's own.
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("date", new Date(simulation.clock.now()).toUTCString());
  });
  addDrain(app);
  addJournal(app, simulation);
  addOtherMethods(app);
  app.register(async (api) => {
    addRateLimit(api, simulation);
    addFaults(api, simulation);
    addOperations(api, simulation);
  });
  app.register(async (admin) => addAdmin(admin, simulation), { prefix: "/__admin" });
  app.register(async (page) => addPage(page));
  return app;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error);
  const body = { requestId: request.id, error: `${problem.code}: ${problem.message}`, status: problem.status };
  reply.code(problem.status).headers(problem.headers).send(body);
}

const CODES: Readonly<Record<number, string>> = {
  400: "BAD_REQUEST",
  413: "PAYLOAD_TOO_LARGE",
};
const WRONG_TYPE = "send the body as JSON, with the header Content-Type: application/json";

/** Errors of the framework in the API's own form. */
function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof NotStoredError) {
    const message = `the change was not made, because it could not be stored: ${error.reason}`;
    return new Problem(500, "INTERNAL_ERROR", message);
  }
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  const code = CODES[statusCode];
  if (statusCode === 415) return new Problem(415, "UNSUPPORTED_MEDIA_TYPE", WRONG_TYPE);
  return code ? new Problem(statusCode, code, message) : new Problem(500, "INTERNAL_ERROR", message);
}
