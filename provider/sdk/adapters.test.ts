import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/support/temporary-folder";

/** The process of a packaged component, which programs in other languages use: it has no stack. */

const folder = temporaryFolder("component");

/** The message of a dynamic resource that is declared in a working directory; empty if it can be. */
function declareFrom(cwd: string): string {
  const adapters = require.resolve("../dist/sdk/adapters");
  const program = `require(${JSON.stringify(adapters)}).dynamicAdapter.propertiesOf("Service", "db", {})`;
  const { stdout } = spawnSync(
    process.execPath,
    ["-e", `try { ${program} } catch ({ stack }) { console.log(stack) }`],
    {
      cwd,
      encoding: "utf8",
    },
  );
  return stdout.trim();
}

function install(): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(__dirname, ".."), join(folder, "node_modules", "pulumi-clouddb"));
}

const SENTENCE =
  "The program that uses a packaged component cannot run its dynamic resources: import the classes of the component from pulumi-clouddb/native. [CDB2006]";

test("a packaged component cannot declare dynamic resources for a program without the package", () => {
  expect(declareFrom(folder)).toBe(SENTENCE);
  install();
  expect(declareFrom(folder)).toBe("");
  // The component's own folder: the engine looks in the program's.
  writeFileSync(join(folder, "PulumiPlugin.yaml"), "runtime: nodejs");
  expect(declareFrom(folder)).toBe(SENTENCE);
});

test("a function that fails without a request fails after the engine has looked at the program's outputs", () => {
  const index = require.resolve("../dist/index");
  const program = `
    process.on("unhandledRejection", ({ message }) => console.log(message));
    require(${JSON.stringify(index)}).getServiceOutput({ serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" });
    setImmediate(() => console.log("looked at"));`;
  const environment = { PATH: process.env.PATH };
  const { stdout } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8", env: environment });
  expect(stdout).toMatch(/^looked at\norganizationId is missing: .*\[CDB1002\]$/m);
});
