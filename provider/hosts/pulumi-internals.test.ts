import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type DynamicPlugin, startDynamicPlugin } from "../../tests/support/adapters/connected";
import { PartialFailure } from "../core/object/user-error";
import { coded } from "../errors";
import { ENTRY, entryText } from "../names";
import { engineCancellation, printFailuresOnce, toDynamicError } from "./pulumi-internals";

// With Pulumi's own plugin: if a new SDK fails one of these tests, the function of the same name no
// longer fits it.

let plugin: DynamicPlugin;
beforeAll(async () => {
  plugin = await startDynamicPlugin();
});
afterAll(() => plugin.close());

const entry = entryText("Service");
const run = (operation: "create" | "delete", act: () => unknown) => {
  plugin.use({ service: { [operation]: async () => act() } as never });
  const { engine } = plugin;
  const state = { [ENTRY]: entry };
  return operation === "create"
    ? engine.create("Service", "db", state)
    : engine.delete("Service", "db", "id", state);
};

test("engineCancellation: only the engine's request to cancel is noticed", async () => {
  const cancellation = engineCancellation();
  await run("create", () => ({ id: "id", outs: {} }));
  expect(cancellation.aborted).toBe(false);
  // The plugin does not implement it.
  const { call, client } = plugin.engine;
  await call((done) => client.cancel(new Empty(), done)).catch(() => {});
  expect(cancellation.aborted).toBe(true);
});

test("toDynamicError: the engine stores a partial failure's id and state", async () => {
  const failing = run("create", () => {
    throw toDynamicError(
      new PartialFailure("id", { name: "db", [ENTRY]: entry }, coded("CDB4002", "half done")),
    );
  });
  await expect(failing).rejects.toMatchObject({
    id: "id",
    properties: { name: "db", [ENTRY]: entry },
  });
});

test("toDynamicError: the plugin prints the message without a stack trace", async () => {
  const printed = jest.spyOn(console, "error");
  const failing = run("delete", () => {
    throw toDynamicError(new Error("one sentence"));
  });
  await expect(failing).rejects.toThrow("one sentence");
  expect(printed).toHaveBeenLastCalledWith(expect.stringContaining("one sentence"));
  expect(printed.mock.lastCall?.[0]).not.toContain("\n    at ");
});

test("printFailuresOnce: the plugin prints all lines but failures that the engine shows", async () => {
  const printed = jest.spyOn(console, "error").mockClear();
  printFailuresOnce();
  const failing = run("delete", () => {
    console.error("another line");
    throw toDynamicError(new Error("one sentence"));
  });
  await expect(failing).rejects.toThrow("one sentence");
  expect(printed.mock.calls).toEqual([["another line"]]);
});
