import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../provider/package.json";
import type { Seed } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import { ADAPTER } from "../support/adapters/handlers";
import { EVERYTHING } from "./support/programs";
import { newStack, simulated } from "./support/stack";

/**
 * One recorded state for each release and adapter. Later releases must find nothing to change in
 * it, whichever adapter they use. CLOUDDB_RECORD=1 records the state of this release.
 */
const folder = join(__dirname, "states");
const recorded = `${version}${{ dynamic: "", native: "-native" }[ADAPTER]}.json`;

/** Leaves out stack traces, which have paths of the machine on which a state was recorded. */
const withoutTrace = (key: string, value: unknown) => (key === "stackTrace" ? undefined : value);

test("a state of this release is recorded", async () => {
  const file = join(folder, recorded);
  if (process.env.CLOUDDB_RECORD !== undefined) {
    const api = await simulated({ seed: exampleSeed as unknown as Seed });
    const stack = await newStack(api, EVERYTHING);
    await stack.up();
    const exported = JSON.parse(
      await stack.pulumi("stack", "export", "--show-secrets"),
      withoutTrace,
    );
    writeFileSync(file, `${JSON.stringify(exported, null, 2)}\n`);
  }
  expect(existsSync(file)).toBe(true);
});

test.each(readdirSync(folder))("the state of %s needs no change and no request", async (name) => {
  const api = await simulated({ seed: exampleSeed as unknown as Seed });
  const stack = await newStack(api, EVERYTHING);
  await stack.pulumi("stack", "import", "--file", join(folder, name));
  const preview = await stack.preview();
  expect(preview).toMatch(/Resources:\s+6 unchanged/);
  expect(await api.requests()).toEqual([]);
  // Secrets are still encrypted in the state.
  const stored = JSON.stringify(await stack.resources());
  for (const secret of ["disk-key", "kafka-password"]) expect(stored).not.toContain(secret);
  expect(readFileSync(join(folder, name), "utf8")).toContain("disk-key");
});
