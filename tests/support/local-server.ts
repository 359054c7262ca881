import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Server } from "node:net";
import { listen } from "./free-port";

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
