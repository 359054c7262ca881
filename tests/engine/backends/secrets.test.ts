import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expectOk, newStack, simulated } from "../support/stack";
import { backend } from "./backend";
import { PASSWORD } from "./server";

const CANARY = "canary of the program";

test("the server stores no secret of a stack in plain text, and Pulumi stores and prints no password of the server", async () => {
  const api = await simulated();
  const args = `{ region: "us-east-1", name: "plain name", ipAccessList: [{ source: "192.0.2.1", description: pulumi.secret("${CANARY}") }] }`;
  const stack = await newStack(api, `exports.password = new clouddb.Service("db", ${args}).password;`);
  const output = await expectOk(stack.up());
  const password = (await expectOk(stack.pulumi("stack", "output", "password", "--show-secrets"))).trim();
  await expectOk(stack.pulumi("login"));

  const stored = (await backend()).contents();
  expect(stored).toContain("plain name");
  for (const secret of [CANARY, password, api.keySecret]) expect(stored).not.toContain(secret);
  const printed = output + (await expectOk(stack.pulumi("whoami", "--verbose")));
  expect(printed).not.toContain(PASSWORD);
  expect(spawnSync("grep", ["-rl", PASSWORD, join(stack.folder, "home")], { encoding: "utf8" }).stdout).toBe("");
});
