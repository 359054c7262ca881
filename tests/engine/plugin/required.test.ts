import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/root";
import { expectFailure, expectOk, newStack, simulated } from "../support/stack";

/** Pulumi downloads the plugin of each package that has the field `pulumi`, for programs that do not use it, too. */

const manifest = JSON.parse(readFileSync(join(root, "provider/package.json"), "utf8"));

test("the npm package makes no program download the plugin", async () => {
  const stack = await newStack(await simulated());
  // The language host looks for packages in the folder of the program.
  writeFileSync(join(stack.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  const folder = join(stack.folder, "node_modules", manifest.name);
  mkdirSync(folder, { recursive: true });
  const installWith = (content: object) => {
    writeFileSync(join(folder, "package.json"), JSON.stringify(content));
    return stack.pulumi("install", "--no-dependencies");
  };
  expect(await expectOk(installWith(manifest))).not.toContain("clouddb");
  // Nothing listens on the port of this server.
  const pulumi = { resource: true, name: "clouddb", server: "http://127.0.0.1:9" };
  expect(await expectFailure(installWith({ ...manifest, pulumi }))).toContain("failed to download plugin: clouddb-");
});
