import { rmSync } from "node:fs";

export default async function globalTeardown(): Promise<void> {
  const home = process.env.CLOUDDB_TEST_HOME;
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
}
