import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { notFound } from "../operations/api-error";
import { createDocument } from "../schema/api";
import type { Simulation } from "../simulation/simulation";
import { registerAdminRoutes } from "./admin-routes";
import { errorResponse, registerJournal, registerMethodCheck, registerOperations } from "./api";
import { registerGracefulShutdown } from "./shutdown";

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_ID_LENGTH = 1000;
const PACKAGE = dirname(require.resolve("clouddb-simulator/package.json"));
// The package exports this file only to modules.
const PREACT = join(dirname(require.resolve("htm")), "../preact/standalone.mjs");

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

/** Creates a server for API, admin API and page, not listening yet. */
export function createServer(simulation: Simulation): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    genReqId: () => randomUUID(),
    // Closes connections that a graceful shutdown left open.
    forceCloseConnections: true,
    return503OnClosing: false,
    // The framework's timeout would interrupt a graceful shutdown.
    pluginTimeout: 0,
    // Bodies are validated by schemas and never merged into other objects.
    onProtoPoisoning: "ignore",
    onConstructorPoisoning: "ignore",
    schemaController: {
      compilersFactory: { buildValidator: buildNothing, buildSerializer: buildNothing },
    },
    routerOptions: { maxParamLength: MAX_ID_LENGTH },
    frameworkErrors: (error, request, reply: FastifyReply) => {
      reply.send(errorResponse(error, request, reply));
    },
  });
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler(errorResponse);
  app.setNotFoundHandler(async ({ method, url }) => {
    throw notFound(`${method} ${url} does not exist`);
  });
  app.addHook("onRequest", async (_request, reply) => {
    // Clients compare this header with dates in responses, so it has the simulator's time.
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

/** Routes use no framework schemas, so the framework's compilers are not loaded. */
function buildNothing(): never {
  throw new Error("schemas of routes are not supported: bodies are validated by zod");
}

/** Serves the page and the OpenAPI document. */
function registerPage(app: FastifyInstance): void {
  app.addHook("onSend", async (_request, reply) => {
    // Prevents foreign requests, even if a name contains markup.
    reply.header(
      "content-security-policy",
      "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
  });
  function serve(url: string, path: string): void {
    const text = readFileSync(path);
    app.get(url, async (_request, reply) =>
      reply.type(`${TYPES[extname(path)]}; charset=utf-8`).send(text),
    );
  }
  for (const name of readdirSync(join(PACKAGE, "page")))
    serve(name === "index.html" ? "/" : `/${name}`, join(PACKAGE, "page", name));
  serve("/preact.mjs", PREACT);
  serve("/example-seed.json", join(PACKAGE, "seeds/example.json"));
  app.get("/openapi.json", async () => createDocument());
}
