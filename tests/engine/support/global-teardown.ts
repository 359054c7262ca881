import { existsSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { releaseFolder } from "../../support/kept-folder";
import { describeCommands } from "./command-count";

export default function globalTeardown(): void {
  const home = process.env.CLOUDDB_TEST_HOME;
  if (home === undefined) return;
  process.stderr.write(describeCommands(home));
  const modules = join(home, "node_modules");
  if (existsSync(modules)) releaseFolder(dirname(realpathSync(modules)));
  rmSync(home, { recursive: true, force: true });
}
