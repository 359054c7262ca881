import { connect } from "node:net";

/**
 * Whether the engine still listens at the address that it passed to its plugin. A plugin outlives an engine that was
 * killed, and nothing would store the results of its requests. Only a refused connection means that the engine is gone.
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
