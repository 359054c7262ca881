import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { wellFormed } from "../../api/response";
import { type Message, render } from "../../errors";

const DEADLINE_MS = 30_000;
/** The longest wait for the engine to receive an operation's messages. */
const MAX_WAIT_MS = 1000;
/** The engine runs on this machine, so no proxy is used. */
const NO_PROXY = { "grpc.enable_http_proxy": 0 };

export type EngineLog = ReturnType<typeof createEngineLog>;

/**
 * Shows messages to the user, each with its resource. Pulumi does not show a plugin's standard
 * output.
 */
export function createEngineLog() {
  /** The resource of an engine's request, and messages that are still being sent. */
  const contexts = new AsyncLocalStorage<{
    readonly urn: string;
    readonly sent: Promise<void>[];
  }>();
  let engine: EngineClient | undefined;

  function send(severity: 0 | 1 | 2, line: Message): void {
    const { urn = "", sent = [] } = contexts.getStore() ?? {};
    const request = new LogRequest();
    request.setSeverity(severity as LogRequest.AsObject["severity"]);
    request.setMessage(wellFormed(render(line)));
    request.setUrn(urn);
    if (engine === undefined) return;
    const client = engine;
    const options = { deadline: Date.now() + DEADLINE_MS };
    // Errors are ignored: an engine that is gone shows nothing.
    sent.push(
      new Promise((resolve) => client.log(request, new grpc.Metadata(), options, () => resolve())),
    );
  }

  return {
    attach(address: string): void {
      engine?.close();
      engine = new EngineClient(address, grpc.credentials.createInsecure(), NO_PROXY);
    },
    close: () => engine?.close(),
    debug: (line: Message) => send(LogSeverity.DEBUG, line),
    info: (line: Message) => send(LogSeverity.INFO, line),
    warn: (line: Message) => send(LogSeverity.WARNING, line),
    /** Runs an operation on a resource, and delivers its messages before it ends. */
    about<Result>(urn: string, operation: () => Promise<Result>): Promise<Result> {
      const sent: Promise<void>[] = [];
      const arrived = () =>
        Promise.race([Promise.all(sent), setTimeout(MAX_WAIT_MS, undefined, { ref: false })]);
      return contexts.run({ urn, sent }, () =>
        operation().finally(() => sent.length > 0 && arrived()),
      );
    },
  };
}
