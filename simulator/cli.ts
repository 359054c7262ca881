import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Seed, startSimulator } from "./index";

/** Defines all options. The help text and the README's table are generated from them. */
export const program = new Command("clouddb-simulator")
  .addHelpText("beforeAll", "clouddb-simulator: the cloud database API as a local server\n")
  .option("--port <N>", "port to listen on (default: a free port)", parsePort)
  .option(
    "--data <DIR>",
    "keeps the state in DIR, across restarts and kill -9 (default: the state is lost on exit)",
    parseText,
  )
  .option("--key-id <TEXT>", "id of the API key (default: simulator)", parseText)
  .option("--key-secret <TEXT>", "secret of the API key (default: random)", parseText)
  .option("--access-token <TEXT>", "token for the observability API (default: random)", parseText)
  .option(
    "--seed <FILE>",
    "initial state as JSON, unless --data already contains one (default: one organization without services); see seeds/example.json in this package",
    readSeed,
  )
  .addOption(
    new Option("--tier <TIER>", "organization tier (default: SCALE); not with --seed")
      .choices(["BASIC", "SCALE", "ENTERPRISE"])
      .conflicts("seed"),
  )
  .addOption(
    new Option(
      "--unpaid",
      "applies the limits of an unpaid organization; not with --seed",
    ).conflicts("seed"),
  )
  .helpOption("--help", "prints this")
  .helpCommand(false)
  .configureHelp({ optionTerm: ({ flags }) => flags.replace(/[<>]/g, "") })
  .showSuggestionAfterError(false)
  .configureOutput({
    outputError: (text, write) => {
      // The value of an unknown option may be secret.
      const hidden = text.replace(/(unknown option '[^=']*)=.*'/s, "$1'");
      write(hidden.replace(/^error/, program.name()));
    },
  })
  .addHelpText(
    "after",
    `
When ready, prints one line of JSON with its URLs, its credentials and the URL of its page.
On SIGTERM or SIGINT, completes the requests in flight, for up to 10 seconds, and exits.`,
  )
  .action(async ({ tier, unpaid, ...options }) => {
    // Ctrl-C may arrive repeatedly, through parent processes.
    const stopped = new Promise<void>((resolve) => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
    });
    const organization = (tier || unpaid) && {
      organization: { tier: tier ?? "SCALE", paid: !unpaid },
    };
    const { close, isResumed, ...ready } = await startSimulator({ ...options, ...organization });
    if (isResumed) {
      const ignored = [options.seed && "--seed", tier && "--tier", unpaid && "--unpaid"]
        .filter(Boolean)
        .join(" and ");
      const note = ignored && `; ignoring ${ignored} until POST /__admin/reset`;
      console.error(`clouddb-simulator: using the existing data in ${options.data}${note}`);
    }
    console.log(JSON.stringify(ready));
    await stopped;
    await close();
  });

export async function main(): Promise<void> {
  const onEnd = () => {
    console.error("clouddb-simulator: ended before it was stopped");
    process.exitCode = 1;
  };
  process.on("beforeExit", onEnd);
  await program.parseAsync().catch((error: NodeJS.ErrnoException) => {
    const { port } = program.opts();
    const message =
      error.code === "EADDRINUSE"
        ? `port ${port} is in use; choose another with --port`
        : error.message;
    console.error(`clouddb-simulator: ${message}`);
    process.exitCode = 1;
  });
  process.off("beforeExit", onEnd);
}

function parsePort(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new InvalidArgumentError("It must be an integer from 0 to 65535.");
}

/** Refuses an empty text, the shell's value for an unset variable. */
function parseText(text: string): string {
  if (text !== "") return text;
  throw new InvalidArgumentError("It must not be empty.");
}

function readSeed(path: string): Seed {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
