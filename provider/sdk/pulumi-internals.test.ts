import * as pulumi from "@pulumi/pulumi";
import * as settings from "@pulumi/pulumi/runtime/settings";
import { entryText } from "../names";
import { dynamicAdapter } from "./adapters";
import * as parts from "./pulumi";
import * as internals from "./pulumi-internals";

// If a new SDK fails one of these tests, the function of the same name no longer fits it.

const inputs: Record<string, unknown>[] = [];
const newResource: pulumi.runtime.Mocks["newResource"] = (args) => {
  inputs.push(args.inputs);
  return { id: "id", state: {} };
};
beforeAll(() => pulumi.runtime.setMocks({ call: () => ({}), newResource }));

test("suppressTraces: an error created meanwhile gets the program's place, and later errors a trace", () => {
  const limit = Error.stackTraceLimit;
  const restore = internals.suppressTraces();
  const bare = new Error("from a transformation");
  expect(bare.stack).not.toContain("\n    at ");
  expect(restore(bare)).toBe(bare);
  expect(bare.stack).toMatch(/^Error: from a transformation\n {4}at .*pulumi-internals\.test/);
  expect(Error.stackTraceLimit).toBe(limit);
  expect(new Error("later").stack).toContain("pulumi-internals.test");
});

test("isMocked: true with mocks, false with an engine's monitor and without any", () => {
  const getMonitor = jest.spyOn(settings, "getMonitor");
  expect(internals.isMocked()).toBe(true);
  const { ResourceMonitorClient } = require("@pulumi/pulumi/proto/resource_grpc_pb");
  const { credentials } = require("@grpc/grpc-js");
  getMonitor.mockReturnValue(
    new ResourceMonitorClient("127.0.0.1:1", credentials.createInsecure()),
  );
  expect(internals.isMocked()).toBe(false);
  getMonitor.mockReturnValue(undefined);
  expect(internals.isMocked()).toBe(false);
  getMonitor.mockRestore();
});

test("pulumi.ts: each export equals the one of the SDK's index", () => {
  const fromIndex = { ...pulumi, ...pulumi.runtime } as Record<string, unknown>;
  for (const [name, part] of Object.entries({ ...parts }))
    expect([name, part === fromIndex[name]]).toEqual([name, true]);
});

test("programError: the SDK prints only its message", () => {
  const error = internals.programError({ code: "CDB1002", text: "one sentence" });
  expect([pulumi.RunError.isInstance(error), error.message, error.stack]).toEqual([
    true,
    "one sentence [CDB1002]",
    "one sentence [CDB1002]",
  ]);
});

test("ENTRY: the SDK stores a dynamic resource's code in the property that the classes set", async () => {
  inputs.length = 0;
  const provider: pulumi.dynamic.ResourceProvider = { create: async () => ({ id: "id" }) };
  const { urn } = new (class extends pulumi.dynamic.Resource {})(provider, "theirs", {});
  await new Promise((resolve) => urn.apply(resolve));
  const ours = dynamicAdapter.propertiesOf("Service", "ours", {});
  const [theirs = {}] = inputs;
  expect(Object.keys(theirs)).toEqual(["__provider"]);
  expect(ours).toHaveProperty(Object.keys(theirs), entryText("Service"));
});

test("valueWithUnknowns: returns the known parts of a partly unknown output", async () => {
  // In a preview, the id of a new resource is unknown.
  await pulumi.runtime.setMocks(
    { call: () => ({}), newResource: () => ({ id: "", state: {} }) },
    "test",
    "dev",
    true,
  );
  const unknown = new (class extends pulumi.CustomResource {})("test:index:Thing", "one").id;
  const value = await internals.valueWithUnknowns(pulumi.output({ known: "text", unknown }));
  expect(value.known).toBe("text");
  expect(typeof value.unknown).not.toBe("string");
});
