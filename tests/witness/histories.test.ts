import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Properties } from "../contract/support";
import { ADAPTER } from "../support/adapters/handlers";
import { histories } from "./histories";
import {
  type Command,
  type CommandResult,
  newWorld,
  type Program,
  readable,
  STATES,
  useHistories,
  type World,
} from "./history";
import { changedLines, placeholders } from "./witness";

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

test.each(Object.entries(histories))("the history of %s is as recorded", async (name, commands) => {
  const world = newWorld();
  expect(readable(await run(world, commands))).toMatchSnapshot();
  worlds.push([name, world]);
});

/* States and journals as releases have left them behind: this build goes on from each. */

const folder = dirname(STATES);
const files = readdirSync(folder).filter((name) => name.endsWith(`-${ADAPTER}.ndjson`));
const states = files.map((file) => ({
  release: file.replace(/-\w+\.ndjson$/, ""),
  worlds: readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [name: string, world: World]),
}));

/** Arguments that change each type of resource. */
const changes: Readonly<Record<string, (args: Properties) => Properties>> = {
  Service: () => ({ name: "changed", numReplicas: 6 }),
  ServiceScaling: () => ({ numReplicas: 6 }),
  ServiceAccess: ({ ipAccessList = [] }) => ({
    ipAccessList: [...(ipAccessList as Properties[]), { source: "192.0.2.99" }],
  }),
  Pipe: () => ({ name: "changed" }),
  Organization: () => ({ name: "changed" }),
};
const changed = (program: Program): Program =>
  Object.fromEntries(
    Object.entries(program).map(([name, { type, args }]) => [
      name,
      { type, args: { ...args, ...changes[type]?.(args) } },
    ]),
  );

const upOf = ({ stacks }: World, edit = (program: Program) => program): Command[] =>
  Object.entries(stacks).map(([stack, { program }]) => ({ stack, program: edit(program) }));
const refreshOf = ({ stacks }: World): Command[] => Object.keys(stacks).map((stack) => ({ stack }));

/** The lines of all states that differ. */
const differences = (before: World, after: World) =>
  Object.entries(placeholders(before.stacks)).flatMap(([stack, { stored }]) =>
    Object.entries(stored).flatMap(([name, resource]) =>
      changedLines(resource, placeholders(after.stacks)[stack]?.stored[name]),
    ),
  );
/** True for the output of a field that is newer than the release: no state of the release has it. */
const isNewer = (line: string, worlds: readonly unknown[]) => {
  const [, name] = /^outputs\.([a-z]\w*)/.exec(line) ?? [];
  return name !== undefined && !JSON.stringify(worlds).includes(`"${name}":`);
};
const requests = (results: readonly CommandResult[]) => results.flatMap(({ requests }) => requests);

describe.each(states)("after $release", ({ worlds }) => {
  test.each(worlds)("%s: `pulumi up` goes on", async (_, world) => {
    expect(readable(await run(structuredClone(world), upOf(world)))).toMatchSnapshot();
  });

  test.each(worlds.filter(([, { isSettled }]) => isSettled))(
    "%s: `pulumi up` and a refresh find no change",
    async (_, world) => {
      const next = structuredClone(world);
      const first = await run(next, upOf(world));
      const refreshed = await run(next, refreshOf(world));
      expect(requests(refreshed).filter((request) => !request.startsWith("GET "))).toEqual([]);
      expect(differences(world, next).filter((line) => !isNewer(line, worlds))).toEqual([]);
      const last = await run(next, upOf(world));
      expect(requests([...first, ...last])).toEqual([]);
    },
  );

  test.each(worlds)("%s: an update sends the difference", async (_, world) => {
    expect(readable(await run(structuredClone(world), upOf(world, changed)))).toMatchSnapshot();
  });
});
