import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../support/root";
import removeHome, { listIn } from "./global-teardown";
import { linkInstalledPackages } from "./installed";

/** Creates a user's folder, in which the packed packages are installed. */
export default async function globalSetup(): Promise<void> {
  if (!existsSync(join(root, "provider/dist")))
    throw new Error("No build found; run `npm test`, which builds first.");
  const folder = mkdtempSync(join(tmpdir(), "clouddb-engine-"));
  const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];
  mkdirSync(temporary);
  // PostgreSQL does not run as root: its own user has to reach its folder in this one.
  chmodSync(folder, 0o711);
  process.env.CLOUDDB_TEST_HOME = home;
  // The temporary folder of every test and of the engine, which leaves logs there.
  process.env.TMPDIR = temporary;
  // Jest ends at once.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      removeHome();
      process.exit(128 + constants.signals[signal]);
    });
  }
  // Outside of the clone, whose own dependencies would make up for one that a package lacks.
  await Promise.all([linkInstalledPackages(home), makeTemplate(join(home, "template"))]);
  process.env.CLOUDDB_COMPILE_CACHE = join(home, "compile-cache");
  countCommands(home);
}

/** A project with an empty stack, once: each test begins with a copy. */
async function makeTemplate(folder: string): Promise<void> {
  mkdirSync(join(folder, "state"), { recursive: true });
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nmain: index.js\n",
  );
  const env = {
    ...process.env,
    PULUMI_HOME: `${folder}-home`,
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  const init = ["stack", "init", "dev", "--non-interactive"];
  await promisify(execFile)("pulumi", init, { cwd: folder, env });
}

/** Puts a `pulumi` on PATH that notes each command with its test file, and runs the engine's. */
function countCommands(home: string): void {
  if (process.platform === "win32") return;
  const [path = ""] = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => existsSync(join(folder, "pulumi")));
  const bin = join(home, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\necho "$CLOUDDB_TEST_FILE" >> "${listIn(home)}"\nexec "${join(path, "pulumi")}" "$@"\n`;
  writeFileSync(join(bin, "pulumi"), script);
  chmodSync(join(bin, "pulumi"), 0o755);
  process.env.PATH = `${bin}${delimiter}${process.env.PATH}`;
}
