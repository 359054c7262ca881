import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { wellFormed } from "../../api/text";
import { type Message, render } from "../../errors";

/** The resource of an engine's request, and the request's messages under way. */
interface LogContext {
  readonly urn: string;
  readonly sent: Promise<void>[];
}

/**
 * Messages to the user, each beside the resource that it is about. A plugin's standard output is
 * not shown.
 */
export interface EngineLog {
  readonly attach: (address: string) => void;
  readonly close: () => void;
  readonly debug: (line: Message) => void;
  readonly info: (line: Message) => void;
  readonly warn: (line: Message) => void;
  /**
   * Runs an operation about a resource. When it ends, an engine that responds has received its
   * messages.
   */
  readonly about: <Result>(urn: string, operation: () => Promise<Result>) => Promise<Result>;
}

const DEADLINE_MS = 30_000;
/** The longest wait for the engine to receive an operation's messages. */
const MAX_WAIT_MS = 1000;
/** The engine is on this machine: no proxy of the environment leads to it. */
const NO_PROXY = { "grpc.enable_http_proxy": 0 };

export function createEngineLog(): EngineLog {
  const contexts = new AsyncLocalStorage<LogContext>();
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
    // An engine that is gone shows nothing more.
    sent.push(
      new Promise((resolve) => client.log(request, new grpc.Metadata(), options, () => resolve())),
    );
  }

  return {
    attach(address) {
      engine?.close();
      engine = new EngineClient(address, grpc.credentials.createInsecure(), NO_PROXY);
    },
    close: () => engine?.close(),
    debug: (line) => send(LogSeverity.DEBUG, line),
    info: (line) => send(LogSeverity.INFO, line),
    warn: (line) => send(LogSeverity.WARNING, line),
    about: (urn, operation) => {
      const sent: Promise<void>[] = [];
      return contexts.run({ urn, sent }, () =>
        operation().finally(() => sent.length > 0 && arrived(sent)),
      );
    },
  };
}

function arrived(sent: readonly Promise<void>[]): Promise<unknown> {
  return Promise.race([Promise.all(sent), setTimeout(MAX_WAIT_MS, undefined, { ref: false })]);
}
