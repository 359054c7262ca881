import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { RateLimit } from "../../../simulator/index";
import { environmentOf, simulated } from "../../support/api";

/* Real processes of the built provider against one simulator. */

interface FleetOptions {
  readonly names: readonly string[];
  /** The number of services of each process. */
  readonly each: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** An action that runs once, when this number of requests has arrived. */
  readonly at?: { readonly requests: number; readonly action: () => unknown };
}

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** A simulator, and processes that use it. */
export async function newFleet(rateLimit: RateLimit) {
  const api = await simulated({ rateLimit });
  const { journal } = api;
  return {
    journal,
    faults: api.faults,
    refused: async () => (await journal()).filter(({ status }) => status === 429).length,
    /**
     * The time from the first request to the last, as a multiple of the shortest time for all that
     * passed.
     */
    async ratio(): Promise<number> {
      const entries = await journal();
      const times = entries.map(({ at }) => Date.parse(at));
      const passed = entries.filter(({ status }) => status !== 429).length;
      const idealMs = (Math.ceil(passed / rateLimit.requests) - 1) * rateLimit.seconds * 1000;
      return (Math.max(...times) - Math.min(...times)) / idealMs;
    },
    /** The names of all services, in order. */
    async names(): Promise<string[]> {
      return (await api.services()).map(({ name }) => String(name)).sort();
    },
    async run({ names, each: count, environment = {}, at }: FleetOptions) {
      const processes = names.map((name) =>
        start(name, count, { ...environmentOf(api), ...environment }),
      );
      await Promise.all(processes.map(({ ready }) => ready));
      for (const { go } of processes) go();
      const isOver = Promise.all(processes.map(({ ended }) => ended));
      if (at !== undefined) {
        while ((await journal()).length < at.requests)
          await new Promise((resolve) => setTimeout(resolve, 20));
        await at.action();
      }
      const results = await isOver;
      return {
        /** The lines that each process has printed, by its name. */
        messages: Object.fromEntries(
          results.map(({ messages }, index) => [names[index], messages]),
        ) as Record<string, string[]>,
        failures: results.flatMap(({ failure }) => (failure === undefined ? [] : [failure])),
      };
    },
  };
}

/** The names that processes give to their services. */
export function namesOf(names: readonly string[], count: number): string[] {
  return names
    .flatMap((name) => Array.from({ length: count }, (_, index) => `${name} ${index + 1}`))
    .sort();
}

/**
 * Starts a process. It ends by itself when its work is done: nothing that it has opened may keep it
 * alive.
 */
function start(name: string, count: number, environment: Readonly<Record<string, string>>) {
  const env = {
    PATH: process.env.PATH,
    CLOUDDB_JOURNAL: "off",
    NAME: name,
    COUNT: String(count),
    ...environment,
  };
  const child = spawn(process.execPath, [join(__dirname, "worker.mjs")], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.add(child);
  const messages: string[] = [];
  let failure: string | undefined;
  let isReady = () => {};
  const ready = new Promise<void>((resolve, reject) => {
    isReady = resolve;
    child.once("close", (code) =>
      reject(new Error(`the process ${name} ended with exit code ${code}`)),
    );
  });
  createInterface(child.stdout).on("line", (line) => {
    if (!line.startsWith("{")) return messages.push(line);
    const said = JSON.parse(line) as { ready?: true; failure?: string };
    failure ??= said.failure;
    if (said.ready) isReady();
  });
  const ended = once(child, "close").then(([code]) => {
    children.delete(child);
    return { messages, failure: code === 0 ? failure : `exit code ${code}` };
  });
  return { ready, ended, go: () => child.stdin.write("go\n") };
}
