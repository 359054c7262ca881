import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";

/** The password that Pulumi has for a server. */
export const PASSWORD = "canary-of-the-server";

/** A server that stores states. */
export interface RunningBackend {
  /** The environment of commands for a new storage without stacks. */
  readonly newStorage: () => Readonly<Record<string, string>>;
  /** Everything that the server has stored. */
  readonly contents: () => string;
  /** Ends the server as a power failure does. */
  readonly kill: () => Promise<void>;
  /** Starts the server again with its data. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The process of a server. */
export interface Server {
  /** Starts the server; resolves when it is ready. */
  readonly start: () => Promise<void>;
  /** Ends the server; resolves when it has ended. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

/** The path of a server's program, which the suite has found. */
export function programOf(variable: string): string {
  const path = process.env[variable];
  if (path === undefined) throw new Error("These tests run under `npm test -- --selectProjects postgres s3`.");
  return path;
}

export function serverOf(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
  isReady: () => boolean | Promise<boolean>,
): Server {
  let child: ChildProcess | undefined;
  return {
    async start() {
      const started = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
      child = started;
      let problems = "";
      started.stderr?.on("data", (chunk) => {
        problems += chunk;
      });
      while (!(await isReady())) {
        if (started.exitCode !== null) throw new Error(`${program} ended:\n${problems}`);
        await setTimeout(50);
      }
    },
    async end(signal) {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "close");
      child.kill(signal);
      await ended;
    },
  };
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
