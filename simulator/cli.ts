#!/usr/bin/env node
import { CommanderError } from "commander";
import { type SimulatorOptions, startSimulator } from "./index";
import { program } from "./options";

program.action(async ({ tier, unpaid, ...options }) => {
  // Ctrl-C can arrive more than once, through the processes that started this one.
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
  });
  const organization = (tier || unpaid) && { organization: { tier: tier ?? "SCALE", paid: !unpaid } };
  const { close, isResumed, ...ready } = await startSimulator({ ...options, ...organization } as SimulatorOptions);
  if (isResumed) {
    const ignored = [options.seed && "--seed", tier && "--tier", unpaid && "--unpaid"].filter(Boolean).join(" and ");
    const note = ignored && `; ignoring ${ignored} until POST /__admin/reset`;
    console.error(`clouddb-simulator: using the existing data in ${options.data}${note}`);
  }
  console.log(JSON.stringify(ready));
  await stopped;
  await close();
});

program.parseAsync().catch((error: NodeJS.ErrnoException) => {
  if (error instanceof CommanderError && error.exitCode === 0) return;
  const message = error.code === "EADDRINUSE" ? "the port is in use; choose another with --port" : error.message;
  console.error(`clouddb-simulator: ${error instanceof CommanderError ? sentenceOf(message) : message}`);
  process.exitCode = 1;
});

/** Commander's message in one line, such as `Unknown option '--colour'`, without the option's value. */
function sentenceOf(message: string): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/^(unknown option '[^=']*)=.*'/s, "$1'")
    .replaceAll("\n", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
