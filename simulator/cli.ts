#!/usr/bin/env node
import { CommanderError } from "commander";
import { type SimulatorOptions, startSimulator } from "./index";
import { assertNoEmptyOption, program, readSeed, type StartOptions } from "./options";

program.action(start);

async function start(values: StartOptions): Promise<void> {
  assertNoEmptyOption(values);
  const { port = 0, data, keyId, keySecret, accessToken, seed, tier, unpaid } = values;
  if (seed !== undefined && (tier !== undefined || unpaid)) {
    throw new Error("--seed excludes --tier and --unpaid; set `tier` and `paid` in the seed's organizations instead");
  }
  const isDefault = tier === undefined && unpaid === undefined;
  const entries: { [Name in keyof SimulatorOptions]: SimulatorOptions[Name] | undefined } = {
    port,
    data,
    keyId,
    keySecret,
    accessToken,
    organization: isDefault ? undefined : { tier: tier ?? "SCALE", paid: !unpaid },
    seed: seed === undefined ? undefined : readSeed(seed),
  };
  const options = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
  // Ctrl-C can arrive more than once, through the processes that started this one.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
  });
  const { close, isResumed, ...ready } = await startSimulator(options);
  if (isResumed) console.error(`clouddb-simulator: using the existing data in ${data}${describeIgnored(values)}`);
  console.log(JSON.stringify(ready));
  await stopped;
  await close();
}

/** The options that apply only to a new folder. */
function describeIgnored(values: StartOptions): string {
  const ignored = (["seed", "tier", "unpaid"] as const).filter((name) => values[name]).map((name) => `--${name}`);
  if (ignored.length === 0) return "";
  return `; ignoring ${ignored.join(" and ")} (POST /__admin/reset applies ${ignored.length > 1 ? "them" : "it"})`;
}

function fail(error: NodeJS.ErrnoException): void {
  if (error instanceof CommanderError && error.exitCode === 0) return;
  const message = error.code === "EADDRINUSE" ? "the port is in use; choose another with --port" : error.message;
  console.error(`clouddb-simulator: ${error instanceof CommanderError ? sentenceOf(message) : message}`);
  process.exitCode = 1;
}

/** Commander's message in one line, such as `Unknown option '--colour'`, without the option's value. */
function sentenceOf(message: string): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/^(unknown option '[^=']*)=.*'/s, "$1'")
    .replaceAll("\n", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

program.parseAsync().catch(fail);
