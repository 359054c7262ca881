import { readFileSync } from "node:fs";
import { Command, Option } from "@commander-js/extra-typings";
import type { FaultRule, RateLimit, Seed } from "./index";
import { findSchemaError } from "./operations/validation";

const TIERS = ["BASIC", "SCALE", "ENTERPRISE"] as const;

const keyId = () =>
  new Option("--key-id <TEXT>", "id of the API key (default: simulator)").env("CLOUDDB_SIMULATOR_KEY_ID");
const keySecret = () =>
  new Option("--key-secret <TEXT>", "secret of the API key (default: random)").env("CLOUDDB_SIMULATOR_KEY_SECRET");

/** The one definition of the options: the help text and the README's table come from it, too. */
export const program = new Command("clouddb-simulator")
  .addHelpText("beforeAll", "clouddb-simulator: the cloud database API as a local server\n")
  .option("--port <N>", "port to listen on (default: a free port)", parsePort)
  .option(
    "--host <ADDRESS>",
    "address to listen on (default: 127.0.0.1, this machine only); one that other machines can reach requires --key-id, --key-secret and --access-token",
  )
  .option("--data <DIR>", "keeps the state in DIR, across restarts and kill -9 (default: the state is lost on exit)")
  .addOption(keyId())
  .addOption(keySecret())
  .addOption(
    new Option("--access-token <TEXT>", "token for the observability API (default: random)").env(
      "CLOUDDB_SIMULATOR_ACCESS_TOKEN",
    ),
  )
  .option(
    "--seed <FILE>",
    "initial state as JSON, unless --data already contains one (default: one organization without services); see seeds/example.json in this package",
  )
  .option("--tier <TIER>", "organization tier: BASIC, SCALE or ENTERPRISE (default: SCALE); not with --seed", parseTier)
  .option("--unpaid", "applies the limits of an unpaid organization; not with --seed")
  .option("--fault <JSON>", "injects a fault, given as in PUT /__admin/faults; repeatable", addFault)
  .option("--rate-limit <N/S>", "allows each key N requests in S seconds, for example 10/10", parseRateLimit)
  .helpOption("--help", "prints this")
  .helpCommand(false)
  .enablePositionalOptions()
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

export const recordCommand = recordingCommand("record", "saves the requests that the simulator at URL has received");
export const assertCommand = recordingCommand(
  "assert",
  "compares them with FILE: prints the differences and exits with 1 if there are any",
);

function recordingCommand(name: string, description: string) {
  return program
    .command(name)
    .usage("FILE --url URL")
    .description(description)
    .argument("[FILE...]")
    .option("--url <URL>", "the URL of a running simulator")
    .addOption(keyId())
    .addOption(keySecret());
}

export type RecordingOptions = ReturnType<typeof recordCommand.opts>;

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

function parseRateLimit(text: string): RateLimit {
  const [, requests, seconds] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (Number(requests) > 0 && Number(seconds) > 0) return { requests: Number(requests), seconds: Number(seconds) };
  throw new Error(`--rate-limit must be N/S, for example 10/10; got "${text}"`);
}

function addFault(text: string, faults: readonly FaultRule[] = []): readonly FaultRule[] {
  const rule = parseJson<FaultRule>("--fault", text, text);
  const error = findSchemaError("FaultRule", rule, "it");
  if (error === undefined) return [...faults, rule];
  throw new Error(`--fault ${text} is not a valid fault rule: ${error}`);
}

export function readSeed(path: string): Seed {
  try {
    return parseJson("--seed", path, readFileSync(path, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Error(`cannot read --seed ${path}: ${message}`);
  }
}

function parseJson<Value>(option: string, name: string, text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    throw new Error(`${option} ${name} is not valid JSON: ${(error as Error).message}`);
  }
}
