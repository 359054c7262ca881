import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../../support/free-port";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  /** A text is sent as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A handler of Node's servers. */
export function answering(answer: (asked: Asked) => Answer) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    void askedBy(request).then((asked) => {
      const { status, body, headers = {} } = answer(asked);
      const text = typeof body === "string" ? body : JSON.stringify(body);
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
    });
  };
}

/** A stand-in for an API with comments. */
export async function serving(answer: (asked: Asked) => Answer) {
  const server = createServer(answering(answer));
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  let text = "";
  for await (const chunk of request) text += chunk;
  const url = new URL(request.url ?? "", "http://localhost");
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { method: request.method ?? "", path: url.pathname, query: url.searchParams, headers: request.headers, body };
}
