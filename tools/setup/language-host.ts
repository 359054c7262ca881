// The language host for Node.js of an engine that was built from Go modules, which do not include
// it. Bundled as `pulumi-language-nodejs`. The engine passes its address, reads the port, and keeps
// standard input open while it runs. Programs and plugins run in the SDK of their own folder, and
// connect to the engine themselves.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Server, ServerCredentials, type ServerWritableStream } from "@grpc/grpc-js";
import { version } from "@pulumi/pulumi/package.json";
import {
  type ILanguageRuntimeServer,
  LanguageRuntimeService,
} from "@pulumi/pulumi/proto/language_grpc_pb";
import {
  AboutResponse,
  GetRequiredPackagesResponse,
  type InstallDependenciesRequest,
  InstallDependenciesResponse,
  type ProgramInfo,
  type RunPluginRequest,
  RunPluginResponse,
  RunResponse,
} from "@pulumi/pulumi/proto/language_pb";
import { PackageDependency, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { npm } from "../support/process";

/** The SDK's exit code after errors that the engine already knows. */
const REPORTED = 32;

const engine = process.argv.find((argument) => /^[\d.]+:\d+$/.test(argument)) ?? "";
const children = new Set<ChildProcess>();

/** The calls that tests need. The engine has defaults for others. */
const host: Partial<ILanguageRuntimeServer> = {
  getPluginInfo: (_, respond) => respond(null, new PluginInfo().setVersion(version)),

  about: (_, respond) =>
    respond(null, new AboutResponse().setExecutable(process.execPath).setVersion(process.version)),

  getRequiredPackages({ request }, respond) {
    const packages = manifestsIn(request.getInfo()?.getProgramDirectory() ?? "").flatMap(
      ({ name, version, pulumi }) =>
        pulumi?.resource
          ? new PackageDependency()
              .setKind("resource")
              .setName(pulumi.name ?? name)
              .setVersion(pulumi.version ?? version)
              .setServer(pulumi.server ?? "")
          : [],
    );
    respond(null, new GetRequiredPackagesResponse().setPackagesList(packages));
  },

  async run({ request }, respond) {
    const info = request.getInfo();
    const { typescript = true, tsconfig } = info?.getOptions()?.toJavaScript() ?? {};
    const flags = Object.entries({
      monitor: request.getMonitorAddress(),
      engine,
      organization: request.getOrganization(),
      project: request.getProject(),
      "root-directory": info?.getRootDirectory(),
      stack: request.getStack(),
      pwd: request.getPwd(),
      parallel: request.getParallel(),
      "dry-run": request.getDryrun(),
    }).map(([name, value]) => `--${name}=${value}`);
    const program = [request.getProgram() || ".", ...request.getArgsList()];
    const env = {
      ...process.env,
      PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
      PULUMI_NODEJS_TYPESCRIPT: String(typescript),
      ...(tsconfig !== undefined && { PULUMI_NODEJS_TSCONFIG_PATH: String(tsconfig) }),
    };
    try {
      const args = [inSdk("run", info), ...flags, ...program];
      const child = start(process.execPath, args, { env, stdio: ["ignore", "inherit", "inherit"] });
      const code = await exitCode(child);
      if (code === REPORTED) return respond(null, new RunResponse().setBail(true));
      if (code !== 0) throw new Error(`Program exited with non-zero exit code: ${code}`);
      respond(null, new RunResponse());
    } catch (error) {
      respond(null, new RunResponse().setError((error as Error).message));
    }
  },

  runPlugin: streaming(async (call: ServerWritableStream<RunPluginRequest, RunPluginResponse>) => {
    const { request } = call;
    const [info, args] = [request.getInfo(), request.getArgsList()];
    const folder = info?.getProgramDirectory() ?? "";
    // The policy SDK reads package.json in the current folder.
    const [command, cwd] =
      request.getKind() === "analyzer"
        ? [[inSdk("run-policy-pack", info), ...args, "."], folder]
        : [[inSdk("run-plugin", info), folder, ...args], request.getPwd()];
    const env = Object.fromEntries(request.getEnvList().map((pair) => pair.split(/=(.*)/s)));
    const code = await relay(call, RunPluginResponse, process.execPath, command, { cwd, env });
    call.write(new RunPluginResponse().setExitcode(code));
  }),

  installDependencies: streaming(
    async (call: ServerWritableStream<InstallDependenciesRequest, InstallDependenciesResponse>) => {
      const cwd = call.request.getInfo()?.getProgramDirectory();
      const code = await relay(call, InstallDependenciesResponse, npm, ["install"], { cwd });
      if (code !== 0) throw new Error(`npm install failed with exit code ${code}`);
    },
  ),
};

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly pulumi?: {
    readonly resource?: boolean;
    readonly name?: string;
    readonly version?: string;
    readonly server?: string;
  };
}

/** The package.json of each package installed in a folder, with or without a scope. */
function manifestsIn(folder: string): Manifest[] {
  const modules = join(folder, "node_modules");
  if (!existsSync(modules)) return [];
  return readdirSync(modules)
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((own) => join(name, own)) : name,
    )
    .map((name) => join(modules, name, "package.json"))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")));
}

/** A command of the SDK in a program's or plugin's folder. */
function inSdk(command: string, info: ProgramInfo | undefined): string {
  const folder = info?.getProgramDirectory() ?? "";
  try {
    return createRequire(join(folder, "package.json")).resolve(`@pulumi/pulumi/cmd/${command}`);
  } catch {
    throw new Error(`@pulumi/pulumi is not installed in ${folder}; run npm install there.`);
  }
}

function streaming<Call extends ServerWritableStream<unknown, unknown>>(
  work: (call: Call) => Promise<void>,
) {
  return (call: Call) =>
    void work(call).then(
      () => call.end(),
      (error: Error) => call.emit("error", error),
    );
}

/**
 * Runs a command whose output goes to the engine, until the engine cancels the call. Returns the
 * exit code.
 */
async function relay<Response extends RunPluginResponse | InstallDependenciesResponse>(
  call: ServerWritableStream<unknown, Response>,
  Response: new () => Response,
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<number> {
  const child = start(command, args, options);
  const send = (name: "setStdout" | "setStderr") => (bytes: Buffer) => {
    const response = new Response();
    response[name](bytes);
    call.write(response);
  };
  child.stdout?.on("data", send("setStdout"));
  child.stderr?.on("data", send("setStderr"));
  call.on("cancelled", () => child.kill());
  return exitCode(child);
}

function start(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  children.add(child);
  return child.on("close", () => children.delete(child));
}

/** The exit code after all output was read. A signal counts as 1. */
async function exitCode(child: ChildProcess): Promise<number> {
  const [code] = await once(child, "close");
  return code ?? 1;
}

// A killed engine closes the pipe.
process.stdin.resume().on("end", () => {
  for (const child of children) child.kill();
  process.exit();
});
const server = new Server({ "grpc.max_receive_message_length": -1 });
server.addService(LanguageRuntimeService, host as ILanguageRuntimeServer);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  console.log(port);
});
