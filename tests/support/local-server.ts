import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import { createServer, type Server } from "node:net";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections();
    server.close();
  }
});

/**
 * Listens on a port of this machine, by default a free one, until the tests of the file have ended;
 * returns the port.
 */
export function serve(server: Server, port?: number): Promise<number> {
  servers.push(server);
  return listen(server, port);
}

/** Listens on a port of this machine, by default a free one, and returns it. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
