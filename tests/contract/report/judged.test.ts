import { capacityOf } from "../../../report/analyze/capacity";
import type { Capacity } from "../../../report/json-report";
import type { ResourceStep } from "../../../report/preview";
import { previewOf, type Side, stateOf, stepOf } from "./support/preview";
import { irreversibleReasons, markdownOf } from "./support/render";

/** The analysis of changes: capacity, irreversible changes, changed secrets. */

describe("the analysis", () => {
  const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "[secret]" };
  function changeOf(type: string, name: string, before?: Side, after?: Side, differing: string[] = []): ResourceStep {
    const operation = before === undefined ? "create" : after === undefined ? "delete" : "update";
    return { ...stepOf(type, name, operation, before && stateOf(before), after && stateOf(after)), differing };
  }
  const size = (memory: unknown, replicas: unknown) => ({ maxReplicaMemoryGb: memory, numReplicas: replicas });

  test("a ServiceScaling sets its service's size, before and after", () => {
    const service = changeOf("Service", "a", { id: ID, outputs: size(64, 3) }, { id: ID });
    const before = { inputs: { serviceId: ID, numReplicas: 7 } };
    const same = changeOf("ServiceScaling", "s", before, before);
    expect(capacityOf([service, same])).toMatchObject({ beforeGb: 448, afterGb: 448 });
    const more = changeOf("ServiceScaling", "s", before, { inputs: { serviceId: ID, numReplicas: 8 } });
    expect(capacityOf([service, more])).toMatchObject({ beforeGb: 448, afterGb: 512 });
    const open = changeOf("ServiceScaling", "s", before, { inputs: { serviceId: ID, numReplicas: unknown } });
    expect(capacityOf([service, open])).toMatchObject({ beforeGb: 0, afterGb: 0, uncounted: ["a"] });
  });

  test("a ServiceScaling of an unknown service counts no service twice", () => {
    const service = changeOf("Service", "a", undefined, { inputs: size(64, 3) });
    const scaling = changeOf("ServiceScaling", "s", undefined, { inputs: { serviceId: unknown, ...size(64, 3) } });
    expect(capacityOf([service, scaling])).toMatchObject({ afterGb: 192, uncounted: ["s"] });
  });

  test("a size unknown on one side is neither growth nor loss", () => {
    const change = changeOf("Service", "a", { id: ID, outputs: size(64, 3) }, { inputs: size(64, unknown) });
    expect(capacityOf([change])).toMatchObject({ beforeGb: 0, afterGb: 0, uncounted: ["a"] });
  });

  test.each<[string, object, object, Partial<Capacity>]>([
    ["of a new service", {}, { maxTotalMemoryGb: 96 }, { afterGb: 96, uncounted: [] }],
    ["raised", size(32, 3), { maxTotalMemoryGb: 192 }, { beforeGb: 96, afterGb: 192 }],
    [
      "declared when the service was smaller",
      { ...size(64, 3), maxTotalMemoryGb: 96 },
      { maxTotalMemoryGb: 96 },
      { beforeGb: 192, afterGb: 192 },
    ],
    ["next to fewer replicas", size(32, 3), { maxTotalMemoryGb: 96, numReplicas: 2 }, { beforeGb: 96, afterGb: 96 }],
    ["next to a size that adds up to more", {}, { maxTotalMemoryGb: 96, ...size(64, 3) }, { afterGb: 192 }],
    ["next to a size that adds up to less", {}, { maxTotalMemoryGb: 384, ...size(64, 3) }, { afterGb: 384 }],
    ["not known yet", size(32, 3), { maxTotalMemoryGb: unknown }, { afterGb: 0, uncounted: ["a"] }],
    ["not known yet next to a size", {}, { maxTotalMemoryGb: unknown, ...size(64, 3) }, { uncounted: ["a"] }],
    ["next to a size not known yet", {}, { maxTotalMemoryGb: 96, ...size(unknown, 3) }, { uncounted: ["a"] }],
    [
      "that the API returned, superseded by a size",
      { ...size(64, 3), maxTotalMemoryGb: 192 },
      { maxReplicaMemoryGb: 32 },
      { beforeGb: 192, afterGb: 96 },
    ],
    [
      "that the API returned, superseded by replicas",
      { ...size(64, 3), maxTotalMemoryGb: 192 },
      { numReplicas: 2 },
      { beforeGb: 192, afterGb: 128 },
    ],
  ])("the memory of all replicas counts as capacity: %s", (_, outputs, inputs, capacity) => {
    const before = Object.keys(outputs).length > 0 ? { id: ID, outputs } : undefined;
    expect(capacityOf([changeOf("Service", "a", before, { inputs })])).toMatchObject(capacity);
  });

  test("the memory of all replicas is shown as such", () => {
    const change = changeOf("Service", "a", { inputs: { maxTotalMemoryGb: 48 } }, { inputs: { maxTotalMemoryGb: 96 } });
    expect(markdownOf(previewOf(change))).toContain("| <code>a</code> | 48 GB | 96 GB | +48 GB (+100 %) |");
  });

  test("lowering replicas below the API's default is reported as irreversible", () => {
    const change = changeOf("Service", "a", { id: ID, outputs: size(64, 7) }, { inputs: { numReplicas: 1 } });
    expect(irreversibleReasons([change])).toEqual(["numReplicas is lowered from 7 to 1"]);
  });

  test.each<[string, object[], unknown, string[]]>([
    [
      "another description opens nothing",
      [{ source: "1.2.3.4", description: "a" }],
      [{ source: "1.2.3.4", description: "b" }],
      [],
    ],
    ["a new entry opens access", [], [{ source: "1.2.3.4" }], ['opens access to "1.2.3.4"']],
    [
      "an unknown list may open access",
      [{ source: "1.2.3.4" }],
      unknown,
      ["gets access entries that are not known yet"],
    ],
  ])("access that a change opens: %s", (_, before, after, reasons) => {
    const change = changeOf("Service", "a", { inputs: { ipAccessList: before } }, { inputs: { ipAccessList: after } });
    expect(irreversibleReasons([change])).toEqual(reasons);
  });

  test.each<[string, object, string[]]>([
    ["in a list", { tokens: [secret] }, ["tokens"]],
    ["below what the engine names", { source: { kafka: { credentials: secret } } }, ["source"]],
  ])("a changed secret is reported, %s", (_, inputs, differing) => {
    const change = changeOf("Pipe", "p", { inputs }, { inputs }, differing);
    expect(irreversibleReasons([change])).toEqual([
      expect.stringContaining("changes; the old secret cannot be recovered"),
    ]);
    expect(markdownOf(previewOf(change))).toContain("&#91;secret&#93;");
  });

  test("values that differ only in hidden parts are reported as changed", () => {
    const [before, after] = ["key-1", "key-2"].map((encryptionKey) => ({ inputs: { encryptionKey } }));
    const report = markdownOf(previewOf(changeOf("Service", "a", before, after)));
    expect(report).toContain("<code>encryptionKey</code>: <code>&#91;secret&#93;</code> changed");
  });

  test("a comment is never too long, even with everything that cannot be omitted", () => {
    const many = Array.from({ length: 700 }, (_, index) =>
      changeOf("Service", `${index}${"x".repeat(100)}`, { id: ID }, undefined),
    );
    const report = markdownOf(previewOf(...many));
    expect(Buffer.byteLength(report)).toBeLessThan(65_000);
    expect(report).toContain("- … and 660 more");
    const long = {
      ...previewOf(),
      diagnostics: [{ severity: "error" as const, urn: "", message: "y".repeat(100_000) }],
    };
    expect(Buffer.byteLength(markdownOf({ ...long, outcome: "failed" }))).toBeLessThan(2000);
  });

  test("another package's type is not one of ours, whatever its name", () => {
    const change = { ...changeOf("Service", "a", undefined, { inputs: {} }), type: "clouddb:index:constructor" };
    expect(markdownOf(previewOf(change))).toContain("1 to create");
  });
});
