import { readFileSync } from "node:fs";
import { Command } from "@commander-js/extra-typings";
import type { Seed } from "./index";

const TIERS = ["BASIC", "SCALE", "ENTERPRISE"] as const;

/** The one definition of the options: the help text and the README's table come from it, too. */
export const program = new Command("clouddb-simulator")
  .addHelpText("beforeAll", "clouddb-simulator: the cloud database API as a local server\n")
  .option("--port <N>", "port to listen on (default: a free port)", parsePort)
  .option("--data <DIR>", "keeps the state in DIR, across restarts and kill -9 (default: the state is lost on exit)")
  .option("--key-id <TEXT>", "id of the API key (default: simulator)")
  .option("--key-secret <TEXT>", "secret of the API key (default: random)")
  .option("--access-token <TEXT>", "token for the observability API (default: random)")
  .option(
    "--seed <FILE>",
    "initial state as JSON, unless --data already contains one (default: one organization without services); see seeds/example.json in this package",
  )
  .option("--tier <TIER>", "organization tier: BASIC, SCALE or ENTERPRISE (default: SCALE); not with --seed", parseTier)
  .option("--unpaid", "applies the limits of an unpaid organization; not with --seed")
  .helpOption("--help", "prints this")
  .helpCommand(false)
  .configureHelp({ optionTerm: ({ flags }) => flags.replace(/[<>]/g, "") })
  .configureOutput({ outputError: () => {} })
  .exitOverride()
  .addHelpText(
    "after",
    `
When ready, prints one line of JSON with its URLs, its credentials and the URL of its page.
On SIGTERM or SIGINT, completes the requests in flight, for up to 10 seconds, and exits.`,
  );

export type StartOptions = ReturnType<typeof program.opts>;

/** Fails for an option without a value, which the shell makes of an unset variable. */
export function assertNoEmptyOption(values: StartOptions): void {
  const entries: Readonly<Record<string, unknown>> = values;
  const empty = program.options.find((option) => entries[option.attributeName()] === "");
  if (empty !== undefined) throw new Error(`${empty.long} must not be empty`);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new Error(`--port must be an integer from 0 to 65535; got "${text}"`);
}

function parseTier(text: string) {
  const tier = TIERS.find((item) => item === text);
  if (tier !== undefined) return tier;
  throw new Error(`--tier must be BASIC, SCALE or ENTERPRISE; got "${text}"`);
}

export function readSeed(path: string): Seed {
  const text = readText(path);
  try {
    return JSON.parse(text) as Seed;
  } catch (error) {
    throw new Error(`--seed ${path} is not valid JSON: ${(error as Error).message}`);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`cannot read --seed ${path}: ${(error as Error).message}`);
  }
}
