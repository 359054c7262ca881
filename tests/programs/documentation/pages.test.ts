import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newStack, simulated, testHome } from "../../engine/support/stack";
import { root } from "../../support/root";
import { follow } from "../support/follow";
import { blocksOf } from "../support/markdown";
import { newReader } from "../support/reader";
import { openTerminal } from "../support/terminal";

test("README.md: the demo prints what the picture shows, and leaves nothing behind (docs/images/record-demo.mjs records it)", async () => {
  const temporary = mkdtempSync(join(testHome(), "demo-"));
  const [demo = ""] = await follow("README.md", await newReader(root, { TMPDIR: temporary }));
  const printed = demo.replace(/ \(\d+(\.\d+)?s\)/g, "");
  const picture = readFileSync(join(root, "docs/images/demo.svg"), "utf8");
  const output = [...picture.matchAll(/<text [^>]*>(.+)<\/text>/g)].map(([, text = ""]) =>
    text.replaceAll("\u00a0", " ").replaceAll("&lt;", "<").replaceAll("&amp;", "&").trim(),
  );
  expect(output.length).toBeGreaterThan(10);
  // An ellipsis stands for text that differs from run to run, or is too long.
  const missing = output.filter((line) => !new RegExp(line.split("…").map(escaped).join(".*")).test(printed));
  expect(missing).toEqual([]);
  const [change] = blocksOf("README.md").filter(({ directive }) => directive === "printed by the demo");
  expect(demo).toContain(change?.text.trimEnd());
  const counts = [...demo.matchAll(/API requests: (\d+)/g)].map(([, count]) => Number(count));
  expect(counts).toEqual([0, 1, 0, 0, 2, 0, 0, 0]);
  expect(readdirSync(temporary).filter((name) => /^(clouddb|pulumi|ts-?node|tsx)/.test(name))).toEqual([]);
});

test("docs/install.md: the plugin is installed", async () => {
  const printed = await follow("docs/install.md", await newReader(root));
  expect(printed.join("\n")).toMatch(/^clouddb +resource +\d+\.\d+\.\d+ /m);
});

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

test.each(["docs/guides/testing.md", "simulator/README.md"])("%s prints what it shows", async (page) => {
  const printed = (await follow(page, await newReader(testHome()))).join("\n");
  const texts = blocksOf(page).filter(({ language }) => language === "text");
  for (const { text } of texts) expect(printed.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010")).toContain(text);
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
