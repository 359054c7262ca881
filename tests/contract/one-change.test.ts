import { isDeepStrictEqual } from "node:util";
import { refresh, type Stored, up } from "../support/stack-model";
import { ci, office, useServices } from "./service-setup";
import type { Properties } from "./support";

/** A preview shows the changed argument and nothing else, whatever commands came before it. */

const setup = useServices();

const ARGS = { region: "us-east-1", numReplicas: 2, ipAccessList: [office, ci] };

/** The commands, as the engine calls an adapter. */
const commands = {
  up: async (stored: Stored, args: Properties) => (await up(setup.handlers, stored, args)).stored as Stored,
  refresh: async (stored: Stored) => (await refresh(setup.handlers, stored)).stored as Stored,
};

const starts: Readonly<Record<string, () => Promise<[Stored, Properties]>>> = {
  async "a created service"() {
    return [await create(ARGS), ARGS];
  },
  async "a service whose creation has failed halfway"() {
    const args = { ...ARGS, privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] };
    await setup.api.faults({ method: "PATCH", effect: { kind: "status", status: 403 } });
    const { stored } = await up(setup.handlers, undefined, args);
    await setup.api.faults();
    return [await commands.up(await commands.refresh(stored as Stored), args), args];
  },
  async "an adopted service"() {
    const args = { ...ARGS, existingServiceId: (await create({})).id };
    return [await create(args), args];
  },
};

async function create(args: Properties): Promise<Stored> {
  return (await up(setup.handlers, undefined, args)).stored as Stored;
}

const sequences = ["up", "refresh", "up, refresh", "refresh, up", "refresh, refresh", "up, refresh, up, refresh"];
const cases = Object.entries(starts).flatMap(([start, begin]) =>
  sequences.map((sequence) => [start, sequence, begin] as const),
);

test.each(cases)("a preview shows one changed argument alone: %s, after %s", async (_, sequence, begin) => {
  let [stored, args] = await begin();
  for (const name of sequence.split(", ")) stored = await commands[name as keyof typeof commands](stored, args);
  const { id, inputs, outputs } = stored;
  const unchanged = await setup.handlers.diff(id, outputs, await setup.checkArgs(args, inputs));
  expect(unchanged.changes).toBe(false);
  const changed = await setup.checkArgs({ ...args, numReplicas: 5 }, inputs);
  const names = Object.keys({ ...inputs, ...changed });
  expect(names.filter((name) => !isDeepStrictEqual(inputs[name], changed[name]))).toEqual(["numReplicas"]);
});
