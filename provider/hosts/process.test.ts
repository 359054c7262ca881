import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { root } from "../../tests/support/root";
import { temporaryFolder } from "../../tests/support/temporary-folder";
import { isEngineAlive } from "./process";

test("the engine counts as alive while its port accepts connections, or if its address is unknown", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await isEngineAlive(address)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await isEngineAlive(address)).toBe(false);
  for (const unclear of [undefined, "", "somewhere", "--flag"])
    expect(await isEngineAlive(unclear)).toBe(true);
});

(process.platform === "linux" ? test : test.skip)(
  "plugin processes know their engine by its process and start",
  () => {
    const engine = join(temporaryFolder("engine"), "pulumi");
    symlinkSync("/bin/sh", engine);
    const plugin = `"${process.execPath}" -e 'console.log(require("./provider/dist/hosts/process").engineAt("127.0.0.1:1"))'`;
    const run = () => {
      // The engine starts one of them behind a shell, as it starts that of dynamic resources.
      const output = execFileSync(engine, ["-c", `${plugin}; sh -c "$PLUGIN; true"; true`], {
        cwd: root,
        env: { ...process.env, PLUGIN: plugin },
        encoding: "utf8",
      });
      const [one, other] = output.split("\n");
      expect(one).toMatch(/^127\.0\.0\.1:1, process \d+ since \d+$/);
      expect(other).toBe(one);
      return one;
    };
    expect(run()).not.toBe(run());
  },
);
