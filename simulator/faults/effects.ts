import type { FastifyReply, FastifyRequest } from "fastify";
import type { Call } from "../api/operations";
import { pause } from "../drain";
import { normalisedEntries } from "./normalised";

/** Whether it happens before the change is made, or after. */
export type When = "before" | "after";

/** What a rule does to a request that it fits. */
export type FaultEffect =
  /** Answered instead of being carried out, or after that; a text for a body goes out as it is. */
  | {
      readonly kind: "status";
      readonly when?: When;
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Carried out after a while, or answered a while after that. */
  | { readonly kind: "latency"; readonly when?: When; readonly milliseconds: number }
  /** The connection is reset, before or after the change is made. */
  | { readonly kind: "reset"; readonly when: When }
  /** Carried out, and the answer is cut in the middle. */
  | { readonly kind: "truncated" }
  /** Carried out, and the answer is no JSON. */
  | { readonly kind: "malformed" }
  /** Carried out, and these members of `result` (of a creation: of its service) are answered otherwise, or none at all. */
  | {
      readonly kind: "answer";
      readonly result: Readonly<Record<string, unknown>> | null;
      readonly password?: unknown;
    }
  /** Refused until so many seconds after the rule first met the path. */
  | { readonly kind: "notReady"; readonly status: 409 | 423 | 424 | 425; readonly seconds: number }
  /** A read sees what was before a change for so many seconds after it. */
  | { readonly kind: "stale"; readonly seconds: number }
  /** Access entries are kept and answered as networks, with host bits masked. */
  | { readonly kind: "normalised" }
  /** A pipe's processor and memory are answered as text with a unit. */
  | { readonly kind: "quantities" }
  /** What a change of a list adds comes before what it removes. */
  | { readonly kind: "addFirst" };

/** Where an effect steps in while a request is answered. */
export interface Hooks {
  /** Before the request is carried out; a reply that is sent here ends it. */
  readonly before?: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined;
  /** What the operation is asked otherwise. */
  readonly call?: Partial<Call>;
  /** What the operation understands of the body. */
  readonly body?: (body: unknown) => unknown;
  /** What is answered instead. */
  readonly answer?: (answer: unknown) => unknown;
  /** What goes over the wire instead; it may break the connection. */
  readonly send?: (text: string, reply: FastifyReply) => Promise<string>;
}

type Effects = {
  readonly [Kind in FaultEffect["kind"]]: (effect: Extract<FaultEffect, { kind: Kind }>) => Hooks;
};

export const effects: Effects = {
  status: ({ status, when = "before", headers = {}, ...given }) => {
    function answer({ id: requestId }: FastifyRequest, reply: FastifyReply): string {
      const { body } = { body: { requestId, error: "FAULT: as a rule asks", status }, ...given };
      const type = typeof body === "string" ? "text/html" : "application/json";
      reply.code(status).headers({ "content-type": type, ...headers });
      return typeof body === "string" ? body : JSON.stringify(body);
    }
    if (when === "after") return { send: async (_text, reply) => answer(reply.request, reply) };
    return { before: async (request, reply) => reply.send(answer(request, reply)) };
  },
  latency: ({ when = "before", milliseconds }) => {
    const passes = ({ server }: FastifyReply) => pause(server, milliseconds);
    return when === "before"
      ? { before: (_request, reply) => passes(reply) }
      : { send: (text, reply) => passes(reply).then(() => text) };
  },
  reset: ({ when }) =>
    when === "before"
      ? { before: async (_request, reply) => breakOff(reply) }
      : { send: async (_text, reply) => breakOff(reply) },
  truncated: () => ({
    async send(text, reply) {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      reply.raw.writeHead(reply.statusCode, headers);
      await new Promise((resolve) => reply.raw.write(text.slice(0, text.length / 2), resolve));
      return breakOff(reply);
    },
  }),
  malformed: () => ({ send: async () => "{ this is no JSON" }),
  answer: (effect) => ({
    answer(answer) {
      if (effect.result === null) return { ...(answer as object), result: undefined, data: undefined };
      const { result, data, ...envelope } = answer as Record<string, { service?: object } | undefined>;
      if (data !== undefined) return Array.isArray(data) ? answer : { data: { ...data, ...effect.result } };
      if (result === undefined) return answer;
      const password = "password" in effect ? { password: effect.password } : {};
      const changed = result.service
        ? { service: { ...result.service, ...effect.result }, ...password }
        : effect.result;
      return { ...envelope, result: { ...result, ...changed } };
    },
  }),
  notReady: ({ status }) => effects.status({ kind: "status", status }),
  stale: ({ seconds }) => ({ call: { lateSeconds: seconds } }),
  normalised: () => ({ body: normalisedEntries, answer: normalisedEntries }),
  quantities: () => ({ answer: withQuantities }),
  addFirst: () => ({ call: { order: "addFirst" } }),
};

export function hooksOf(effect: FaultEffect): Hooks {
  return (effects[effect.kind] as (effect: FaultEffect) => Hooks)(effect);
}

/** Breaks the connection; nobody is left to be answered, so there is no end of it. */
function breakOff(reply: FastifyReply): Promise<never> {
  reply.raw.socket?.resetAndDestroy();
  return new Promise(() => {});
}

function withQuantities(answer: unknown): unknown {
  const { result } = answer as { result?: { scaling?: Record<string, unknown> } };
  if (!result?.scaling) return answer;
  const units: Record<string, string> = { replicaCpuMillicores: "m", replicaMemoryGb: "Gi" };
  const scaling = Object.fromEntries(
    Object.entries(result.scaling).map(([name, value]) => [name, name in units ? `${value}${units[name]}` : value]),
  );
  return { ...(answer as object), result: { ...result, scaling } };
}
