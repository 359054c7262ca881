import { runInOwnGroup } from "./process-group";

// Loaded only by the process that does the work.
runInOwnGroup(async (stop) => (await import("./commands/run.js")).run(process.argv, stop));
