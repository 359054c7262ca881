import { AsyncLocalStorage } from "node:async_hooks";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** What one request of the engine is about, and the messages on their way to it. */
interface LogContext {
  readonly urn: string;
  readonly sent: Promise<void>[];
}

/** Messages to the user, each beside the resource that it is about. A plugin's standard output is not shown. */
export interface EngineLog {
  readonly attach: (address: string) => void;
  readonly info: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Runs an operation about a resource. When it ends, its messages have arrived. */
  readonly about: <Result>(urn: string, operation: () => Promise<Result>) => Promise<Result>;
}

export function createEngineLog(): EngineLog {
  const contexts = new AsyncLocalStorage<LogContext>();
  let engine: EngineClient | undefined;

  function send(severity: 1 | 2, line: string): void {
    const { urn = "", sent = [] } = contexts.getStore() ?? {};
    const request = new LogRequest();
    request.setSeverity(severity as LogRequest.AsObject["severity"]);
    request.setMessage(line);
    request.setUrn(urn);
    // An engine that is gone shows nothing more.
    sent.push(new Promise((resolve) => (engine ? engine.log(request, () => resolve()) : resolve())));
  }

  return {
    attach(address) {
      engine?.close();
      engine = new EngineClient(address, grpc.credentials.createInsecure());
    },
    info: (line) => send(LogSeverity.INFO, line),
    warn: (line) => send(LogSeverity.WARNING, line),
    about: (urn, operation) => {
      const sent: Promise<void>[] = [];
      return contexts.run({ urn, sent }, () => operation().finally(() => Promise.all(sent)));
    },
  };
}
