import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What becomes of a request once whoever sent it is dead. */
export type Fate =
  /** It was carried out already; its answer finds nobody. */
  | "carriedOut"
  /** It had arrived, and is carried out only now. */
  | "carriedOutLate"
  /** It never reached the API. */
  | "lost";

export interface Gate {
  readonly baseUrl: string;
  /** How many POSTs have come. */
  readonly posts: () => number;
  /** Names of what was asked for and never reached the API. */
  readonly lost: ReadonlySet<string>;
  /** Opens it for good; done when everything that was held has found its fate. */
  readonly open: () => Promise<void>;
  readonly close: () => void;
}

/**
 * Stands in front of an API and holds POSTs, so that it is known what is in flight at a moment. All that come from
 * number `from` on are held; `moment` is called once `until` has come, and what was to happen before it has happened.
 */
export async function gateTo(
  api: string,
  { from, until, moment }: { from: number; until: number; moment: () => void },
  fates: readonly Fate[] = ["carriedOut", "carriedOutLate", "carriedOut", "lost"],
): Promise<Gate> {
  const lost = new Set<string>();
  const held: Promise<unknown>[] = [];
  let posts = 0;
  let isOpen = false;
  let release = () => {};
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });

  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { host, connection, "content-length": _, ...headers } = request.headers as Record<string, string>;
    const forward = () =>
      fetch(`${api}${request.url}`, { method: request.method ?? "GET", headers, ...(body !== "" && { body }) });
    const answer = async (from: Response) => {
      const content = await from.text();
      if (response.destroyed) return;
      response.writeHead(from.status, { "content-type": "application/json" }).end(content);
    };
    if (request.method !== "POST") return answer(await forward());
    posts += 1;
    const number = posts;
    if (isOpen || number < from) return answer(await forward());

    const fate = fates[(number - from) % fates.length];
    const done = fate === "carriedOut" ? await forward() : undefined;
    held.push(
      opened.then(async () => {
        if (fate === "lost") {
          lost.add(JSON.parse(body).name);
          response.destroy();
        } else await answer(done ?? (await forward()));
      }),
    );
    if (held.length === until - from + 1) moment();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts: () => posts,
    lost,
    async open() {
      isOpen = true;
      release();
      await Promise.all(held);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
