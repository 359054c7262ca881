import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { startSimulator } from "../../../simulator/index";
import { testHome } from "../../engine/support/stack";
import { createEngineRequests } from "../../support/adapters/engine-requests";
import { listen, type Message } from "../../support/adapters/native-plugin";
import { withoutSecrets } from "../../support/adapters/values";
import { createTestApi, environmentOf } from "../../support/api";
import { exampleSeed } from "../../support/example";
import { temporaryFolder } from "../../support/temporary-folder";
import { CANARY } from "./fuzz";
import { bytesOf, type PluginRequest } from "./plugin-requests";

/** Ends what hangs. */
const PATIENCE_MS = 120_000;
const MOST_BYTES = 2 ** 30;
/** What is for a colleague, and not for a user. */
const INTERNAL =
  /undefined|\[object |Cannot read propert|is not (a function|iterable)|\n\s+at |call stack|deserializ|protobuf|gRPC/i;

/** The installed plugin in a process of its own, with a simulator and an engine that listens. */
export async function startInstalledPlugin() {
  const simulator = await startSimulator({ seed: exampleSeed });
  const api = createTestApi(simulator);
  const messages: Message[] = [];
  const listener = await listen(messages);
  const folder = temporaryFolder("fuzz");
  const launcher = join(testHome(), "node_modules/pulumi-clouddb/native-plugin/pulumi-resource-clouddb");
  const env = { ...environmentOf(api), CLOUDDB_MAX_RETRIES: "0", CLOUDDB_JOURNAL: "off", PULUMI_HOME: folder };
  const child = spawn(launcher, [listener.address], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once("data", (chunk) => resolve(Number(chunk)));
    child.once("close", () => reject(new Error(errors)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
  });
  const engine = createEngineRequests(client);

  async function problemOf(request: PluginRequest): Promise<string | undefined> {
    messages.length = 0;
    const definition = ResourceProviderService[request.method] as grpc.MethodDefinition<unknown, unknown>;
    const bytes = bytesOf(request);
    const texts: string[] = [];
    let answer: Response | undefined;
    try {
      answer = await engine.call<Response>((done) =>
        client.makeUnaryRequest(
          definition.path,
          () => bytes,
          definition.responseDeserialize as never,
          undefined,
          { deadline: Date.now() + PATIENCE_MS },
          done as never,
        ),
      );
      texts.push(...(answer.getFailuresList?.() ?? []).map((failure) => failure.getReason()));
    } catch (error) {
      texts.push((error as Error).message);
    }
    if (request.method === "configure") await engine.configure({});
    if (child.exitCode !== null || child.signalCode !== null) return `the plugin has ended: ${errors}`;
    const broken = texts.find((text) => !/\[CDB\d{4}\]$/.test(text) || INTERNAL.test(text));
    if (broken !== undefined) return `this is no sentence for a user: ${broken}`;
    const said = [...texts, ...messages.map(({ text }) => text), errors];
    const leak = said.find((text) => text.includes(CANARY) || INTERNAL.test(text));
    if (leak !== undefined) return `this is in a message: ${leak}`;
    // The engine drops inputs that a check refuses, and sends no others to the methods after it.
    if (texts.length > 0 || !/^(check|invoke)/.test(request.method)) return undefined;
    for (const name of ["getInputs", "getProperties", "getReturn"] as const) {
      const shown = JSON.stringify(withoutSecrets(answer?.[name]?.()?.toJavaScript() ?? {}));
      if (shown.includes(CANARY)) return `a secret is in plain text: ${shown.slice(0, 1000)}`;
    }
    return undefined;
  }

  return {
    problemOf,
    /** A sentence if it needs too much memory, where the system says so. */
    memoryProblem() {
      const file = `/proc/${child.pid}/status`;
      const [, kilobytes = "0"] = (existsSync(file) && /VmRSS:\s+(\d+)/.exec(readFileSync(file, "utf8"))) || [];
      return Number(kilobytes) * 1024 > MOST_BYTES ? `the plugin has ${kilobytes} KB of memory` : undefined;
    },
    async close() {
      client.close();
      child.kill();
      listener.close();
      await simulator.close();
    },
  };
}

interface Struct {
  readonly toJavaScript: () => Record<string, unknown>;
}

/** What some of the responses have. */
interface Response {
  readonly getFailuresList?: () => readonly { readonly getReason: () => string }[];
  readonly getInputs?: () => Struct | undefined;
  readonly getProperties?: () => Struct | undefined;
  readonly getReturn?: () => Struct | undefined;
}
