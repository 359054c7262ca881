import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newStack, simulated, testHome } from "../../engine/support/stack";
import { root } from "../../support/root";
import { blocksOf } from "../support/markdown";
import { follow, newReader, openTerminal } from "../support/reader";

test("README.md: the demo prints the shown change, sends the fewest requests, and leaves nothing behind", async () => {
  const temporary = mkdtempSync(join(testHome(), "demo-"));
  const [demo = ""] = await follow("README.md", await newReader(root, { TMPDIR: temporary }));
  const [change] = blocksOf("README.md").filter(
    ({ directive }) => directive === "printed by the demo",
  );
  expect(demo).toContain(change?.text.trimEnd());
  const counts = [...demo.matchAll(/API requests: (\d+)/g)].map(([, count]) => Number(count));
  expect(counts).toEqual([0, 1, 0, 0, 2, 0, 0, 0]);
  expect(
    readdirSync(temporary).filter((name) => /^(clouddb|pulumi|ts-?node|tsx)/.test(name)),
  ).toEqual([]);
});

test.each([
  ["docs/configuration.md", ""],
  ["docs/guides/share-rate-limit.md", "redis.example.com"],
])("%s: secrets in the configuration are in no file", async (page, address) => {
  const api = await simulated();
  const stack = await newStack(api);
  await follow(page, openTerminal(stack, stack.folder, {}).run);
  const stored = readFileSync(join(stack.folder, "Pulumi.dev.yaml"), "utf8");
  expect(stored).toMatch(/clouddb:\w+:\s+secure: /);
  for (const secret of [api.keySecret, address].filter((text) => text !== ""))
    expect(stored).not.toContain(secret);
});

test.each(["docs/guides/testing.md", "simulator/README.md"])(
  "%s: the commands print the shown output",
  async (page) => {
    const printed = (await follow(page, await newReader(testHome()))).join("\n");
    const texts = blocksOf(page).filter(({ language }) => language === "text");
    for (const { text } of texts)
      expect(printed.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010")).toContain(text);
  },
);
