// Tests states on PostgreSQL and on an S3-compatible store: npm run backends [-- JEST ARGUMENTS]
// Where a server cannot be had, its tests are skipped, and the reason is printed.
import { ensureS3Gateway, findPostgres } from "./setup/backends.mjs";
import { run } from "./setup/command.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";
import { versions } from "./setup/versions.mjs";

await runMain(async () => {
  await ensureDependencies();
  const environment = {};
  const postgres = findPostgres();
  if (postgres !== undefined) environment.CLOUDDB_POSTGRES = postgres;
  else skip("PostgreSQL", "it is not installed. Install it, for example from Debian's package postgresql.");
  try {
    environment.CLOUDDB_S3_GATEWAY = await ensureS3Gateway();
  } catch (error) {
    skip("S3", `its server could not be built. Install Go ${versions.go} or newer. ${error.message}`);
  }
  const projects = [...(postgres ? ["postgres"] : []), ...(environment.CLOUDDB_S3_GATEWAY ? ["s3"] : [])];
  if (projects.length === 0) return;
  const args = ["tools/test.mjs", ...process.argv.slice(2), "--selectProjects", ...projects];
  // A Ctrl-C reaches jest itself; this process waits for it to clean up.
  process.on("SIGINT", () => {});
  const env = { ...process.env, ...environment };
  process.exitCode = (await run(process.execPath, args, { cwd: root, env, stdio: "inherit" })).code;
});

function skip(backend, reason) {
  process.stderr.write(`Skipped all tests with ${backend}: ${reason}\n`);
}
