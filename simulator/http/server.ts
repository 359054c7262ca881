import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { ApiError } from "../operations/api-error";
import type { Simulation } from "../simulation/simulation";
import { registerAdminRoutes } from "./admin-routes";
import { errorResponse, registerJournal, registerMethodCheck, registerOperations } from "./api";
import { registerPage } from "./page-routes";
import { registerGracefulShutdown } from "./shutdown";

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_ID_LENGTH = 1000;

/** The API, the admin API and the page, as a server that is not listening yet. */
export function createServer(simulation: Simulation): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: () => randomUUID(),
    // After the graceful shutdown: requests that were not answered in time.
    forceCloseConnections: true,
    return503OnClosing: false,
    // The framework's timeout would also interrupt a graceful shutdown.
    pluginTimeout: 0,
    // Bodies are validated by schemas and never merged into other objects.
    onProtoPoisoning: "ignore",
    onConstructorPoisoning: "ignore",
    schemaController: {
      compilersFactory: { buildValidator: buildNothing, buildSerializer: buildNothing },
    },
    routerOptions: { maxParamLength: MAX_ID_LENGTH },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    sendError(
      new ApiError(404, "NOT_FOUND", `${request.method} ${request.url} does not exist`),
      request,
      reply,
    );
  });
  app.addHook("onRequest", async (_request, reply) => {
    // Clients compare dates in responses with this header, so it has the simulator's time.
    reply.header("date", new Date(simulation.now()).toUTCString());
    // Without this header, a cache may serve a stale state.
    reply.header("cache-control", "no-store");
  });
  registerGracefulShutdown(app);
  registerJournal(app, simulation);
  registerMethodCheck(app);
  app.register(async (api) => registerOperations(api, simulation));
  app.register(async (admin) => registerAdminRoutes(admin, simulation), { prefix: "/__admin" });
  app.register(async (page) => registerPage(page));
  return app;
}

/** Routes have no schemas of the framework, so its two compilers need not be loaded. */
function buildNothing(): never {
  throw new Error("schemas of routes are not supported: bodies are validated by zod");
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.send(errorResponse(error, request, reply));
}
