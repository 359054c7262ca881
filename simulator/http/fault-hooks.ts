import type { FastifyReply, FastifyRequest } from "fastify";
import { withCanonicalAccessLists } from "../operations/networks";
import type { OperationInput } from "../operations/operations";
import type { FaultEffect } from "../simulation/fault-rules";
import { delay } from "./shutdown";

/** Where an effect intervenes while a request is handled. */
export interface FaultHooks {
  /** Runs before the request is executed; sending a reply here ends the request. */
  readonly before?: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined;
  /** Overrides members of the operation's input. */
  readonly input?: Partial<OperationInput>;
  readonly transformBody?: (body: unknown) => unknown;
  readonly transformResponse?: (response: unknown) => unknown;
  /** Replaces the text that is sent; may break the connection. */
  readonly send?: (text: string, reply: FastifyReply) => Promise<string>;
}

type Effects = {
  readonly [Kind in FaultEffect["kind"]]: (effect: Extract<FaultEffect, { kind: Kind }>) => FaultHooks;
};

const effects: Effects = {
  status: ({ status, when = "before", headers = {}, ...args }) => {
    function respond({ id: requestId }: FastifyRequest, reply: FastifyReply): string {
      const { body } = { body: { requestId, error: "FAULT: injected by a fault rule", status }, ...args };
      const type = typeof body === "string" ? "text/html" : "application/json";
      reply.code(status).headers({ "content-type": type, ...headers });
      return typeof body === "string" ? body : JSON.stringify(body);
    }
    if (when === "after") return { send: async (_text, reply) => respond(reply.request, reply) };
    return { before: async (request, reply) => reply.send(respond(request, reply)) };
  },
  latency: ({ when = "before", milliseconds }) => {
    const wait = ({ server }: FastifyReply) => delay(server, milliseconds);
    return when === "before"
      ? { before: (_request, reply) => wait(reply) }
      : { send: (text, reply) => wait(reply).then(() => text) };
  },
  reset: ({ when }) =>
    when === "before"
      ? { before: async (_request, reply) => resetConnection(reply) }
      : { send: async (_text, reply) => resetConnection(reply) },
  truncated: () => ({
    async send(text, reply) {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      reply.raw.writeHead(reply.statusCode, headers);
      await new Promise((resolve) => reply.raw.write(text.slice(0, text.length / 2), resolve));
      return resetConnection(reply);
    },
  }),
  malformed: () => ({ send: async () => "{ this is not JSON" }),
  answer: (effect) => ({
    transformResponse(response) {
      if (effect.result === null) return { ...(response as object), result: undefined, data: undefined };
      const { result, data, ...envelope } = response as Record<string, { service?: object } | undefined>;
      if (data !== undefined) return Array.isArray(data) ? response : { data: { ...data, ...effect.result } };
      if (result === undefined) return response;
      const password = "password" in effect ? { password: effect.password } : {};
      const replaced = result.service
        ? { service: { ...result.service, ...effect.result }, ...password }
        : effect.result;
      return { ...envelope, result: { ...result, ...replaced } };
    },
  }),
  normalised: () => ({ transformBody: withCanonicalAccessLists, transformResponse: withCanonicalAccessLists }),
  addFirst: () => ({ input: { order: "addFirst" } }),
};

export function faultHooksFor(effect: FaultEffect): FaultHooks {
  return (effects[effect.kind] as (effect: FaultEffect) => FaultHooks)(effect);
}

/** Never resolves, because the connection is gone. */
function resetConnection(reply: FastifyReply): Promise<never> {
  reply.raw.socket?.resetAndDestroy();
  return new Promise(() => {});
}
