import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { basic } from "pulumi-clouddb-facts";
import { type Client, createClient } from "../../provider/api/client";
import { endpoints } from "../../provider/api/endpoints";
import { render } from "../../provider/errors";
import { serve } from "./local-server";

/** A client, and a server that answers it as a test says. */

export const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
export const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
export const SERVICE = { organizationId: ORGANIZATION, serviceId: ID };
export const ok = (result: unknown) => JSON.stringify({ status: 200, requestId: "r-1", result });

export const seen: { request: IncomingMessage; body: string }[] = [];

afterEach(() => {
  jest.restoreAllMocks();
  seen.length = 0;
});

export type Step = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A server that takes one step for each request, and repeats the last; and a client whose waits
 * take no time.
 */
export async function serving(
  ...steps: Step[]
): Promise<ScriptedClient & { readonly baseUrl: string }> {
  const listener: RequestListener = (request, response) => {
    const step = steps[Math.min(seen.length, steps.length - 1)];
    const entry = { request, body: "" };
    seen.push(entry);
    request.on("data", (chunk) => {
      entry.body += chunk;
    });
    request.on("end", () => step?.(request, response));
  };
  const baseUrl = `http://127.0.0.1:${await serve(createServer(listener))}`;
  return { ...clientAt(baseUrl), baseUrl };
}

interface ScriptedClient extends Client {
  readonly waits: number[];
  readonly said: string[];
}

interface ClientOptions {
  readonly requestTimeoutSeconds?: number;
  readonly isEngineAlive?: () => Promise<boolean>;
  readonly cancellation?: AbortSignal;
  /** Receives each wait before it ends. */
  readonly onWait?: (ms: number, signal: AbortSignal | undefined) => unknown;
}

export function clientAt(
  baseUrl: string,
  { requestTimeoutSeconds = 60, isEngineAlive, cancellation, onWait }: ClientOptions = {},
): ScriptedClient {
  let now = 0;
  const waits: number[] = [];
  const said: string[] = [];
  const client = createClient(
    {
      baseUrl,
      authorization: basic("key", "s3cret"),
      requestTimeoutSeconds,
      maxRetries: 3,
      userAgent: "test/1",
    },
    {
      clock: {
        now: () => now,
        sleep: async (ms, signal) => {
          waits.push(ms);
          await onWait?.(ms, signal);
          now += ms;
        },
      },
      random: () => 1,
      log: (line) => said.push(render(line)),
      redact: (text) => text,
      ...(isEngineAlive && { isEngineAlive }),
      ...(cancellation && { cancellation }),
    },
  );
  return { ...client, waits, said };
}

export const send =
  (status: number, body: string, headers: Record<string, string> = {}): Step =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
export const good = send(200, ok({ id: ID, name: "one" }));
export const reset: Step = (request) => request.socket.resetAndDestroy();

export const call = {
  read: ({ call }: Client) => call(endpoints.getService, SERVICE),
  readAlert: ({ call }: Client) => call(endpoints.getAlert, { id: "alert-1" }),
  change: ({ call }: Client) => call(endpoints.updateService, SERVICE, { body: {} }),
  create: ({ call }: Client) =>
    call(endpoints.createService, SERVICE, { body: {}, idempotency: "create" }),
};

export const limited = (seconds: number) => send(429, "{}", { "retry-after": String(seconds) });
export const LIMITED = { code: "CDB3429" };
