import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { document } from "../schema/document";

const FOLDER = join(dirname(require.resolve("clouddb-simulator/package.json")), "page");

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const FILES = readdirSync(FOLDER).filter((name) => contentType(name) !== undefined);

/** The page, from this package's files, and the OpenAPI document. */
export function registerPage(app: FastifyInstance): void {
  app.addHook("onSend", async (_request, reply) => {
    // Nothing is loaded from elsewhere, whatever a name on the page contains.
    reply.header("content-security-policy", POLICY);
  });
  for (const name of FILES) {
    const text = readFileSync(join(FOLDER, name));
    app.get(name === "index.html" ? "/" : `/${name}`, async (_request, reply) =>
      reply.type(`${contentType(name)}; charset=utf-8`).send(text),
    );
  }
  app.get("/openapi.json", async () => document);
  app.get("/example-seed.json", async (_request, reply) =>
    reply.type("application/json").send(readFileSync(join(FOLDER, "../seeds/example.json"))),
  );
}

function contentType(name: string): string | undefined {
  const types: Record<string, string> = {
    ".html": "text/html",
    ".css": "text/css",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
  };
  return types[extname(name)];
}
