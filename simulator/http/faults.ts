import type { FastifyReply } from "fastify";
import type { ListOrder } from "../operations/lists";
import type { FaultEffect } from "../schema/seed";
import { canonicalNetwork } from "../schema/shapes";
import { delay } from "./shutdown";

export interface ExecuteOptions {
  readonly transformBody?: (body: unknown) => unknown;
  readonly order?: ListOrder;
}

/** Executes the request and returns its response or refusal. */
type Execute = (options?: ExecuteOptions) => Promise<object>;

type Effect<Kind extends FaultEffect["kind"]> = Extract<FaultEffect, { kind: Kind }>;

/** Responds to a request with the effect of a fault. */
export async function respond(
  effect: FaultEffect | undefined,
  reply: FastifyReply,
  execute: Execute,
) {
  switch (effect?.kind) {
    case undefined:
      return execute();
    case "status":
      if (effect.when === "after") await execute();
      return sendStatus(effect, reply);
    case "latency": {
      if (effect.when !== "after") await delay(reply.server, effect.milliseconds);
      const response = await execute();
      if (effect.when === "after") await delay(reply.server, effect.milliseconds);
      return response;
    }
    case "reset":
      if (effect.when === "after") await execute();
      return resetConnection(reply);
    case "truncated":
      return truncate(JSON.stringify(await execute()), reply);
    case "malformed":
      await execute();
      return reply.type("application/json").send("{ this is not JSON");
    case "answer":
      return replaceResult(effect, await execute());
    case "normalised":
      return withNetworks(await execute({ transformBody: withNetworks }));
    case "addFirst":
      return execute({ order: "addFirst" });
  }
}

function sendStatus({ status, headers = {}, ...effect }: Effect<"status">, reply: FastifyReply) {
  const standard = {
    requestId: reply.request.id,
    error: "FAULT: injected by a fault rule",
    status,
  };
  const body = "body" in effect ? effect.body : standard;
  const type = typeof body === "string" ? "text/html" : "application/json";
  reply.code(status).headers({ "content-type": type, ...headers });
  return reply.send(typeof body === "string" ? body : JSON.stringify(body));
}

async function truncate(text: string, reply: FastifyReply): Promise<never> {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  reply.raw.writeHead(reply.statusCode, headers);
  await new Promise((resolve) => reply.raw.write(text.slice(0, text.length / 2), resolve));
  return resetConnection(reply);
}

/** Never resolves, because the connection is gone. */
function resetConnection(reply: FastifyReply): Promise<never> {
  reply.raw.socket?.resetAndDestroy();
  return new Promise(() => {});
}

function replaceResult(effect: Effect<"answer">, response: object): object {
  const { result, data, ...envelope } = response as Record<
    string,
    { service?: object } | undefined
  >;
  if (effect.result === null) return envelope;
  if (data !== undefined)
    return Array.isArray(data) ? response : { data: { ...data, ...effect.result } };
  if (result === undefined) return response;
  if (result.service === undefined) return { ...envelope, result: { ...result, ...effect.result } };
  const password = "password" in effect && { password: effect.password };
  return {
    ...envelope,
    result: { ...result, service: { ...result.service, ...effect.result }, ...password },
  };
}

/** Replaces access entries by networks, like servers that store networks. */
function withNetworks(value: unknown): object {
  return JSON.parse(JSON.stringify(value ?? null), (name, inner) =>
    name === "source" && typeof inner === "string" ? (canonicalNetwork(inner) ?? inner) : inner,
  );
}
