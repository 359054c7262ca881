import { connect } from "node:net";

/**
 * Whether the engine listens at the address that it gave its plugin. A plugin outlives an engine that was killed, and
 * what it did then nobody would store. Only a refused connection is a no: everything else is left to the engine.
 */
export function isEngineAlive(address: string | undefined): Promise<boolean> {
  const [, host, port] = /^([\d.]+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const answer = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    const socket = connect({ host, port: Number(port), timeout: 1000 });
    socket.once("connect", () => answer(true));
    socket.once("timeout", () => answer(true));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => answer(code !== "ECONNREFUSED"));
  });
}
