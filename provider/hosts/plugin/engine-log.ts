import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { wellFormed } from "../../api/response";
import { type Message, render } from "../../errors";

/** The resource of an engine's request, and messages that are still being sent. */
interface LogContext {
  readonly urn: string;
  readonly sent: Promise<void>[];
}

/**
 * Shows messages to the user, each with its resource. Pulumi does not show a plugin's standard
 * output.
 */
export interface EngineLog {
  readonly attach: (address: string) => void;
  readonly close: () => void;
  readonly debug: (line: Message) => void;
  readonly info: (line: Message) => void;
  readonly warn: (line: Message) => void;
  /** Runs an operation on a resource, and delivers its messages before it ends. */
  readonly about: <Result>(urn: string, operation: () => Promise<Result>) => Promise<Result>;
}

const DEADLINE_MS = 30_000;
/** The longest wait for the engine to receive an operation's messages. */
const MAX_WAIT_MS = 1000;
/** The engine runs on this machine, so no proxy is used. */
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
    // Errors are ignored: an engine that is gone shows nothing.
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
