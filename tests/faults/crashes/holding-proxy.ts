import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../../support/local-server";

/** The fate of a held request after its sender has died. */
export type Fate =
  /** The request was applied before; nobody reads the response. */
  | "applied"
  /** The request had arrived before, and is applied only now. */
  | "appliedLate"
  /** The request never reached the API. */
  | "lost";

export interface HoldingProxy {
  readonly baseUrl: string;
  /** The number of POSTs that have arrived. */
  readonly posts: () => number;
  /** The names in requests that never reached the API. */
  readonly lost: ReadonlySet<string>;
  /** Passes all later requests; resolves when all held requests have been handled. */
  readonly release: () => Promise<void>;
  readonly close: () => void;
}

/**
 * A proxy in front of an API that holds POSTs, so that it is known what is in flight. It holds
 * those from number `from` on, and calls `onAllHeld` once number `to` has arrived.
 */
export async function startHoldingProxy(
  api: string,
  { from, to, onAllHeld }: { from: number; to: number; onAllHeld: () => void },
  fates: readonly Fate[] = ["applied", "appliedLate", "applied", "lost"],
): Promise<HoldingProxy> {
  const lost = new Set<string>();
  const held: Promise<unknown>[] = [];
  let posts = 0;
  let isReleased = false;
  let openGate = () => {};
  const released = new Promise<void>((resolve) => {
    openGate = resolve;
  });

  const server = createServer(async (request, response) => {
    const body = await text(request);
    const {
      host,
      connection,
      "content-length": _,
      ...headers
    } = request.headers as Record<string, string>;
    const forward = () =>
      fetch(`${api}${request.url}`, {
        method: request.method ?? "GET",
        headers,
        ...(body !== "" && { body }),
      });
    const respond = async (from: Response) => {
      const content = await from.text();
      if (response.destroyed) return;
      response.writeHead(from.status, { "content-type": "application/json" }).end(content);
    };
    if (request.method !== "POST") return respond(await forward());
    posts += 1;
    const number = posts;
    if (isReleased || number < from) return respond(await forward());

    const fate = fates[(number - from) % fates.length];
    const earlyResponse = fate === "applied" ? await forward() : undefined;
    held.push(
      released.then(async () => {
        if (fate === "lost") {
          lost.add(JSON.parse(body).name);
          response.destroy();
        } else await respond(earlyResponse ?? (await forward()));
      }),
    );
    if (held.length === to - from + 1) onAllHeld();
  });

  return {
    baseUrl: `http://127.0.0.1:${await listen(server)}`,
    posts: () => posts,
    lost,
    async release() {
      isReleased = true;
      openGate();
      await Promise.all(held);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
