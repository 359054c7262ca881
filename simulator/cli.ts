#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type FaultRule, type RateLimit, type Seed, type SimulatorOptions, startSimulator } from "./index";
import { findSchemaError } from "./operations/validation";

const USAGE = `clouddb-simulator: the cloud database API as a local server

clouddb-simulator [options]               starts it
clouddb-simulator record FILE --url URL   saves the requests that the simulator at URL has received
clouddb-simulator assert FILE --url URL   compares them with FILE: prints the differences and exits with 1 if there are any

  --port N             port to listen on (default: a free port)
  --host ADDRESS       address to listen on (default: 127.0.0.1, this machine only)
  --data DIR           keep the state in DIR across restarts (default: the state is lost on exit)
  --key-id TEXT        id of the API key (default: $CLOUDDB_SIMULATOR_KEY_ID or simulator)
  --key-secret TEXT    secret of the API key (default: $CLOUDDB_SIMULATOR_KEY_SECRET or random)
  --access-token TEXT  token for the observability API (default: $CLOUDDB_SIMULATOR_ACCESS_TOKEN or random)
  --seed FILE          initial state as JSON, unless --data already contains one (default: one organization without
                       services); see seeds/example.json in this package
  --tier TIER          organization tier: BASIC, SCALE or ENTERPRISE (default: SCALE); not with --seed
  --unpaid             apply the limits of an unpaid organization; not with --seed
  --fault JSON         inject a fault, given as in PUT /__admin/faults; repeatable:
                       --fault '{"method":"PATCH","times":1,"effect":{"kind":"status","status":503}}'
  --rate-limit N/S     allow each key N requests in S seconds, for example 10/10

When ready, prints one line of JSON with its URLs, its credentials and the URL of its page.
On SIGTERM or SIGINT, completes the requests in flight, for up to 10 seconds, and exits.`;

const TIERS = ["BASIC", "SCALE", "ENTERPRISE"] as const;

async function main(): Promise<void> {
  if (process.argv.includes("--help")) return console.log(USAGE);
  const [command, ...args] = process.argv.slice(2);
  if (command !== "record" && command !== "assert") return start();
  // Loaded here, because a start must be quick.
  const { runRecordingCommand } = require("./recording-commands") as typeof import("./recording-commands");
  return runRecordingCommand(command, args);
}

async function start(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      host: { type: "string" },
      data: { type: "string" },
      "key-id": { type: "string" },
      "key-secret": { type: "string" },
      "access-token": { type: "string" },
      seed: { type: "string" },
      tier: { type: "string" },
      unpaid: { type: "boolean" },
      fault: { type: "string", multiple: true },
      "rate-limit": { type: "string" },
    },
  });
  const empty = Object.entries(values).find(([, value]) => value === "");
  if (empty) throw new Error(`--${empty[0]} must not be empty`);
  if (values.seed !== undefined && (values.tier !== undefined || values.unpaid)) {
    throw new Error("--seed excludes --tier and --unpaid; set `tier` and `paid` in the seed's organizations instead");
  }
  const rateLimit = values["rate-limit"];
  const given: { [Name in keyof SimulatorOptions]: SimulatorOptions[Name] | undefined } = {
    port: parsePort(values.port),
    host: values.host,
    data: values.data,
    keyId: values["key-id"] ?? process.env.CLOUDDB_SIMULATOR_KEY_ID,
    keySecret: values["key-secret"] ?? process.env.CLOUDDB_SIMULATOR_KEY_SECRET,
    accessToken: values["access-token"] ?? process.env.CLOUDDB_SIMULATOR_ACCESS_TOKEN,
    organization: parseOrganization(values),
    seed: values.seed === undefined ? undefined : readSeed(values.seed),
    faults: values.fault?.map((text) => parseFault(text)),
    rateLimit: rateLimit === undefined ? undefined : parseRateLimit(rateLimit),
  };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  // Before the start, because process 1 of a container ignores signals that it does not handle. Ctrl-C can arrive more
  // than once, through the processes that started this one.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, resolve);
  });
  const { close, isResumed, ...ready } = await startSimulator(options);
  if (isResumed)
    console.error(`clouddb-simulator: using the existing data in ${values.data}${describeIgnored(values)}`);
  console.log(JSON.stringify(ready));
  await stopped;
  await close();
}

/** The options that apply only to a new folder. */
function describeIgnored(values: { seed?: string | undefined; tier?: string | undefined; unpaid?: boolean }): string {
  const ignored = (["seed", "tier", "unpaid"] as const).filter((name) => values[name]).map((name) => `--${name}`);
  if (ignored.length === 0) return "";
  return `; ignoring ${ignored.join(" and ")} (POST /__admin/reset applies ${ignored.length > 1 ? "them" : "it"})`;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new Error(`--port must be an integer from 0 to 65535; got "${text}"`);
}

function parseOrganization({ tier, unpaid }: { tier?: string | undefined; unpaid?: boolean | undefined }) {
  if (tier === undefined && unpaid === undefined) return undefined;
  return { tier: parseTier(tier ?? "SCALE"), paid: !unpaid };
}

function parseTier(text: string) {
  const tier = TIERS.find((each) => each === text);
  if (tier !== undefined) return tier;
  throw new Error(`--tier must be BASIC, SCALE or ENTERPRISE; got "${text}"`);
}

function parseRateLimit(text: string): RateLimit {
  const [, requests, seconds] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (Number(requests) > 0 && Number(seconds) > 0) return { requests: Number(requests), seconds: Number(seconds) };
  throw new Error(`--rate-limit must be N/S, for example 10/10; got "${text}"`);
}

function parseFault(text: string): FaultRule {
  const rule = parseJson<FaultRule>("--fault", text, text);
  const error = findSchemaError("FaultRule", rule, "it");
  if (error === undefined) return rule;
  throw new Error(`--fault ${text} is not a valid fault rule: ${error}`);
}

function readSeed(path: string): Seed {
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

function fail(error: NodeJS.ErrnoException): void {
  const message = error.code === "EADDRINUSE" ? "the port is in use; choose another with --port" : error.message;
  console.error(`clouddb-simulator: ${message}`);
  process.exitCode = 1;
}

main().catch(fail);
