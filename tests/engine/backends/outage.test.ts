import { setTimeout } from "node:timers/promises";
import {
  COUNT,
  expectEachServiceOnce,
  interruptUp,
  pendingNames,
  servicesMissingFromState,
} from "../../faults/crashes/interrupted-up";
import { expectOk } from "../support/stack";
import { backend } from "./backend";

/* The server that has the state fails while an `up` creates services. */

/** The engine repeats the writing of a state for half a minute. */
const SHORT_MS = 5000;

test("a server that is back soon: nothing is lost, and no action is needed", async () => {
  const server = await backend();
  const interrupted = await interruptUp(
    11,
    async ({ gate }) => {
      await server.kill();
      void gate.release();
      await setTimeout(SHORT_MS);
      await server.start();
    },
    ["applied", "appliedLate"],
  );
  await expectOk(interrupted.ended);
  await expectEachServiceOnce(interrupted, []);
  expect(interrupted.gate.posts()).toBe(COUNT);
});

test("a server that is away for long: the up fails, and the next up takes the services that were being created", async () => {
  const server = await backend();
  const interrupted = await interruptUp(
    11,
    async ({ gate }) => {
      await server.kill();
      void gate.release();
    },
    ["applied"],
    // Each step that cannot be stored takes half a minute.
    { parallel: 1, inFlight: 1, keepsJournal: true },
  );
  const { code, output } = await interrupted.ended;
  expect(code).not.toBe(0);
  expect(output).toContain(
    "failed to save snapshot: An IO error occurred while writing the new snapshot file: blob (key ",
  );
  await server.start();
  const { stack } = interrupted;
  await expectOk(stack.pulumi("cancel"));
  const missing = (await servicesMissingFromState(interrupted)).map(({ name }) => name);
  expect(missing).not.toEqual([]);
  expect(await pendingNames(stack)).toEqual(expect.arrayContaining(missing));
  await expectOk(stack.up());
  await expectOk(stack.refresh("--clear-pending-creates"));
  await expectEachServiceOnce(interrupted, []);
  expect(interrupted.gate.posts()).toBe(COUNT);
});
