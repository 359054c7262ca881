import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";

/** `run` with a stand-in for `pulumi`; tests/programs/review/report.test.ts has the real one. */

test("several signals interrupt pulumi once, and its report is still written", async () => {
  const bin = temporaryFolder("run");
  const script = `#!${process.execPath}
let interrupts = 0;
process.on("SIGINT", () => {
  interrupts += 1;
  process.kill(process.ppid, "SIGTERM");
  setTimeout(() => (console.error("error: interrupted " + interrupts + " times"), process.exit(1)), 200);
});
process.kill(process.ppid, "SIGTERM");
setTimeout(() => {}, 60_000);
`;
  writeFileSync(join(bin, "pulumi"), script);
  chmodSync(join(bin, "pulumi"), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin`, PULUMI_STACK: "prod" };
  const { status, stdout } = await runCli({ args: ["run"], env });
  expect(status).toBe(2);
  expect(stdout).toContain("❌ **The preview failed**");
  expect(stdout).toContain("- error: interrupted 1 times");
});
