import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import tls from "node:tls";

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
});

/**
 * Listens on a port of this machine, by default a free one, until the tests of the file have ended;
 * returns the port.
 */
export function serve(server: Server, port = 0): Promise<number> {
  servers.push(server);
  server.on("connection", (socket: Socket) => sockets.add(socket));
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await serve(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A key or certificate of the tests. */
export const certificateFile = (name: string) =>
  readFileSync(join(__dirname, "../contract/certificate", name));

/** Makes this process trust the certificates of the tests. */
export function trustTestCertificate(): void {
  const { createSecureContext } = tls;
  jest
    .spyOn(tls, "createSecureContext")
    .mockImplementation((options) =>
      createSecureContext({ ...options, ca: certificateFile("certificate.pem") }),
    );
}
