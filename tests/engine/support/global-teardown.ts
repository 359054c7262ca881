import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { describeCommands } from "./command-count";

export default function globalTeardown(): void {
  const home = process.env.CLOUDDB_TEST_HOME;
  if (home === undefined) return;
  process.stderr.write(describeCommands(home));
  rmSync(dirname(home), { recursive: true, force: true });
}
