import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { createDocument } from "../schema/api";

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

/** Serves the page and the OpenAPI document. */
export function registerPage(app: FastifyInstance): void {
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
