import { spawn } from "node:child_process";
import { once } from "node:events";
import { median } from "./table.mjs";

/** The milliseconds from the start of a process to its first output; it is then ended. */
export async function untilFirstOutput([command, ...args], options = {}) {
  const startedAt = performance.now();
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  const elapsed = performance.now() - startedAt;
  child.kill("SIGTERM");
  await once(child, "close");
  return elapsed;
}

/** The median time of each subject. Subjects take turns, so that the machine's load affects all alike. */
export async function medians(rounds, subjects, measure) {
  const times = Object.entries(subjects).map(([name, subject]) => ({ name, subject, values: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { subject, values } of times) values.push(await measure(subject));
  }
  return Object.fromEntries(times.map(({ name, values }) => [name, median(values)]));
}
