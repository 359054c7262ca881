#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { complaintAbout } from "./api/validation";
import type { RateLimit } from "./faults/rate-limit";
import type { FaultRule } from "./faults/rules";
import { type SimulatorOptions, startSimulator } from "./index";

const USAGE = `clouddb-simulator: the cloud database API as a local server

  --port N             where to listen (default: a free port)
  --host ADDRESS       on which address (default: 127.0.0.1, this machine alone)
  --data DIR           keeps everything there across restarts (default: nothing outlives the process)
  --key-id TEXT        the API key's id (default: simulator)
  --key-secret TEXT    its secret (default: made at random)
  --access-token TEXT  the observability interface's token (default: made at random)
  --seed FILE          what there is at the start, where --data holds nothing yet (default: one organization without services);
                       seeds/example.json of this package is one to begin with
  --tier TIER          BASIC, SCALE or ENTERPRISE (default: SCALE); a seed says its own
  --unpaid             the limits of an organization that does not pay; a seed says its own
  --fault JSON         a rule for what goes wrong, as PUT /__admin/faults takes it; may be repeated:
                       --fault '{"method":"PATCH","times":1,"effect":{"kind":"status","status":503}}'
  --rate-limit N/S     N requests in S seconds for a key, such as 10/10

Prints one line of JSON when it is ready: where it is and what to log in with, and a page to look at.
Ends on SIGTERM and SIGINT: requests that have begun are answered first, for up to 10 seconds.`;

const TIERS = ["BASIC", "SCALE", "ENTERPRISE"] as const;

async function main(): Promise<void> {
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
      unpaid: { type: "boolean", default: false },
      fault: { type: "string", multiple: true, default: [] },
      "rate-limit": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const empty = Object.entries(values).find(([, value]) => value === "");
  if (empty) throw new Error(`--${empty[0]} must not be empty`);
  if (values.seed !== undefined && (values.tier !== undefined || values.unpaid)) {
    throw new Error("--tier and --unpaid do not go with --seed: the seed's organizations say their own");
  }
  const rateLimit = values["rate-limit"];
  const given: { [Name in keyof SimulatorOptions]: SimulatorOptions[Name] | undefined } = {
    port: portFrom(values.port),
    host: values.host,
    data: values.data,
    keyId: values["key-id"],
    keySecret: values["key-secret"],
    accessToken: values["access-token"],
    organization: { tier: tierFrom(values.tier ?? "SCALE"), paid: !values.unpaid },
    seed: values.seed === undefined ? undefined : json("--seed", values.seed, readFileSync(values.seed, "utf8")),
    faults: values.fault.map((text) => faultFrom(text)),
    rateLimit: rateLimit === undefined ? undefined : rateLimitFrom(rateLimit),
  };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const { close, isResumed, ...ready } = await startSimulator(options);
  if (isResumed) console.error(`clouddb-simulator: goes on with what ${values.data} holds${unused(values)}`);
  // A terminal's Ctrl-C may come more than once, by way of the programs that started this one.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void close().catch(fail));
  console.log(JSON.stringify(ready));
}

/** What of the command line is only for a folder that holds nothing yet. */
function unused(values: { seed?: string | undefined; tier?: string | undefined; unpaid?: boolean }): string {
  const names = (["seed", "tier", "unpaid"] as const).filter((name) => values[name]).map((name) => `--${name}`);
  if (names.length === 0) return "";
  return `, not with ${names.join(" and ")}; POST /__admin/reset starts over with ${names.length > 1 ? "them" : "it"}`;
}

function faultFrom(text: string): FaultRule {
  const rule = json<FaultRule>("--fault", text, text);
  const complaint = complaintAbout("FaultRule", rule, "it");
  if (complaint === undefined) return rule;
  throw new Error(`--fault ${text} cannot be used: ${complaint}`);
}

function portFrom(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new Error(`--port ${text} is no port`);
}

function tierFrom(text: string) {
  const tier = TIERS.find((each) => each === text);
  if (tier !== undefined) return tier;
  throw new Error(`--tier ${text} is not one of ${TIERS.join(", ")}`);
}

function rateLimitFrom(text: string): RateLimit {
  const [, requests, seconds] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (Number(requests) > 0 && Number(seconds) > 0) return { requests: Number(requests), seconds: Number(seconds) };
  throw new Error(`--rate-limit ${text} is not of the form N/S, such as 10/10`);
}

function json<Value>(option: string, name: string, text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (error) {
    throw new Error(`${option} ${name} is no JSON: ${(error as Error).message}`);
  }
}

function fail(error: NodeJS.ErrnoException): void {
  const inUse = error.code === "EADDRINUSE" ? "the port is in use; choose another with --port" : error.message;
  console.error(`clouddb-simulator: ${inUse}`);
  process.exitCode = 1;
}

main().catch(fail);
