import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newStack, simulated } from "../../engine/support/stack";
import { follow } from "../support/follow";
import { openTerminal } from "../support/terminal";

test("docs/configuration.md", async () => {
  const api = await simulated();
  const stack = await newStack(api);
  const terminal = openTerminal(stack, stack.folder, {});
  await follow("docs/configuration.md", terminal.run);
  expect(readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8")).not.toContain(api.keySecret);
});

test("docs/guides/share-rate-limit.md: the address of Redis is stored as a secret", async () => {
  const stack = await newStack(await simulated());
  await follow("docs/guides/share-rate-limit.md", openTerminal(stack, stack.folder, {}).run);
  const stored = readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8");
  expect(stored).toMatch(/clouddb:rateLimitUrl:\s+secure: /);
  expect(stored).not.toContain("redis.example.com");
});
