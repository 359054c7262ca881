import { rmSync } from "node:fs";
import { dirname } from "node:path";

export default function globalTeardown(): void {
  const home = process.env.CLOUDDB_TEST_HOME;
  if (home !== undefined) rmSync(dirname(home), { recursive: true, force: true });
}
