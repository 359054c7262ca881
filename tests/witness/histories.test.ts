import { existsSync, writeFileSync } from "node:fs";
import { histories } from "./histories";
import { newWorld, readable, STATES, useHistories, type World } from "./history";

/**
 * Requests, messages, states and journal records of each command. CLOUDDB_RECORD=1 also writes the
 * states that this release leaves behind, once.
 */

const run = useHistories();
const worlds: [name: string, world: World][] = [];

afterAll(() => {
  if (process.env.CLOUDDB_RECORD === undefined || existsSync(STATES)) return;
  writeFileSync(STATES, worlds.map((world) => `${JSON.stringify(world)}\n`).join(""));
});

test.each(Object.entries(histories))("%s", async (name, commands) => {
  const world = newWorld();
  expect(readable(await run(world, commands))).toMatchSnapshot();
  worlds.push([name, world]);
});
