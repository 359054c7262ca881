import { connect } from "node:net";

/**
 * Whether the engine still listens at the address that it passed to its plugin. A plugin outlives an engine that was
 * killed, and nothing would store the results of its requests. Only a refused connection means that the engine is gone.
 */
export function isEngineAlive(address: string | undefined): Promise<boolean> {
  const [, host, port] = /^([\d.]+):(\d+)$/.exec(address ?? "") ?? [];
  if (host === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isAlive: boolean) => {
      socket.destroy();
      resolve(isAlive);
    };
    const socket = connect({ host, port: Number(port), timeout: 1000 });
    socket.once("connect", () => settle(true));
    socket.once("timeout", () => settle(true));
    socket.once("error", ({ code }: NodeJS.ErrnoException) => settle(code !== "ECONNREFUSED"));
  });
}
