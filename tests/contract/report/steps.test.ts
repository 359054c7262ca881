import MarkdownIt from "markdown-it";
import { analyze } from "../../../report/analyze/analyze";
import type { Preview } from "../../../report/preview";
import {
  irreversibleReasons,
  markdownOf,
  previewIn,
  previewsIn,
  SECRET,
  textOf,
  verdictsOn,
} from "./support/preview";

/**
 * The analysis of the engine's steps. The engine numbers its events, but not every tool that stores
 * them does.
 */

const urn = (name: string, type = "clouddb:index:Service") =>
  `urn:pulumi:dev::shop::${type}::${name}`;
type Raw = { readonly urn: string; readonly [name: string]: unknown };
const state = (name: string, more: object = {}): Raw => ({
  urn: urn(name),
  id: `id of ${name}`,
  ...more,
});

/**
 * The two events of a step, with the old and the new state: that it begins, and that it is done.
 */
function step(
  op: string,
  old: Raw | null,
  now: Raw | null,
  more: object = {},
): [begun: object, done: object] {
  const at = now?.urn ?? old?.urn ?? "";
  const type = at.split("::")[2];
  const metadata = { op, urn: at, type, old, new: now, detailedDiff: null, logical: true, ...more };
  return [{ resourcePreEvent: { metadata } }, { resOutputsEvent: { metadata } }];
}
/** A part of a replacement, or the work of a provider. */
const half = { logical: false };
const run = (...events: object[]) => [
  { preludeEvent: {} },
  ...events.flat(),
  { summaryEvent: {} },
  { cancelEvent: {} },
];
const previewWith = (...events: object[]) => previewIn(textOf(run(...events)));

const operations = ({ changes }: Preview) =>
  changes.map(({ name, operation }) => `${operation} ${name}`);
const capacityOf = (preview: Preview) => analyze(preview).capacity;
const size = { maxReplicaMemoryGb: 64, numReplicas: 3 };

const [old, now] = [state("a"), { ...state("b"), id: "" }];
const gone = { ...old, delete: true };
const other = { ...state("a"), id: "other" };

test.each<[string, object[], string[]]>([
  [
    "of a resource renamed by an alias, although its old half has the old URN",
    [
      step("create-replacement", old, now, half),
      step("replace", gone, now),
      step("delete-replaced", gone, null, half),
      // Another resource takes the old name.
      step("create", null, { ...state("a"), id: "" }),
    ],
    ["replace b", "create a"],
  ],
  [
    "with deleteBeforeReplace",
    [
      step("delete-replaced", old, null, half),
      step("replace", old, now),
      step("create-replacement", old, now, half),
    ],
    ["replace b"],
  ],
  ...["import-replacement", "read-replacement"].map((op): [string, object[], string[]] => [
    `that results from the step ${op}`,
    [
      step(op, null, state("a"), half),
      step("replace", other, state("a")),
      step("discard-replaced", { ...other, delete: true }, null, half),
    ],
    ["replace a"],
  ]),
  [
    "of which only the creation began",
    [step("create-replacement", old, old, half).slice(0, 1)],
    ["replace a"],
  ],
  [
    "of which only the deletion began",
    [step("delete-replaced", old, null, half).slice(0, 1)],
    ["replace a"],
  ],
])("a replacement counts once: %s", async (_, events, expected) => {
  expect(operations(await previewWith(...events))).toEqual(expected);
});

test("a replacement of a protected resource counts once and names the refusal by Pulumi", async () => {
  const old = state("a", { protect: true });
  const refused = await previewWith(step("replace", old, old));
  expect(irreversibleReasons(refused)).toEqual([
    expect.stringContaining("it is protected, so Pulumi will refuse"),
  ]);
  const carriedOut = await previewWith(step("replace", old, state("a")));
  expect(irreversibleReasons(carriedOut)).toEqual([
    "is replaced: the API cannot delete the old service",
  ]);
});

test.each<[string, object, string]>([
  [
    "a protected service",
    { ...state("a", { protect: true }), id: "other", delete: true },
    "the API cannot delete the old service, so the update fails at its end, with both in the state",
  ],
  [
    "a retained service",
    { ...state("a", { retainOnDelete: true }), id: "other", delete: true },
    "the old service keeps running and costing money, unmanaged",
  ],
])(
  "another import ID of %s is listed first, since protection does not prevent it",
  async (_, was, end) => {
    const is = state("a", { protect: true });
    const preview = await previewWith(
      step("delete", state("b"), null),
      step("import-replacement", null, is, half),
      step("replace", was as Raw, is),
      step("delete-replaced", was as Raw, null, half),
    );
    expect(irreversibleReasons(preview)).toEqual([
      `is replaced by the object that its option import names, and protection does not prevent it: ${end}`,
      expect.stringContaining("is removed from the program"),
    ]);
  },
);

test.each([
  ["clouddb:index:Pipe", "the old one is removed from state and stays as it is"],
  ["clouddb:index:ServiceAccess", "the entries of the old one are removed"],
  ["aws:s3/bucket:Bucket", "the old one is deleted"],
])("the report says what a replacement does to the old %s", async (type, end) => {
  const is = { ...state("a"), urn: urn("a", type) };
  expect(irreversibleReasons(await previewWith(step("replace", is, is)))).toEqual([
    `is replaced: ${end}`,
  ]);
});

test("a remediation that unmarks secrets is listed first, without a value in the report", async () => {
  const [secret, clear] = [SECRET, "canary-value"];
  const before = { name: secret, source: { kafka: { credentials: { password: secret } } }, a: [1] };
  const after = { name: clear, source: { kafka: { credentials: { password: clear } } }, a: [2] };
  const policyRemediationEvent = {
    ...{ resourceUrn: urn("a"), policyName: "named", policyPackName: "company", before, after },
  };
  const inputs = { ...after, encryptionKey: secret };
  const gone = step("delete", state("b"), null);
  const error = { diagnosticEvent: { severity: "error", message: `not ${clear}` } };
  const preview = await previewWith(
    gone,
    { policyRemediationEvent },
    step("create", null, state("a", { inputs, outputs: inputs })),
    error,
  );
  const reason = (place: string) =>
    `${place} is no longer a secret, because the policy named of company drops its mark: the state and its history would hold it in clear text`;
  expect(irreversibleReasons(preview)).toEqual([
    reason("name"),
    reason("source.kafka.credentials.password"),
    expect.stringContaining("is removed from the program"),
  ]);
  expect(JSON.stringify([analyze(preview), markdownOf(preview)])).not.toContain(clear);
});

test("a planned migration of the state needs attention", async () => {
  const message =
    "<{%reset%}>State migration planned (state entries: 1 before, 2 after).<{%reset%}>\n";
  const info = (message: string) => ({
    diagnosticEvent: { urn: urn("a"), severity: "info", message },
  });
  const preview = await previewWith(info("Adopting service x."), info(message));
  expect(analyze(preview).attention).toEqual([
    expect.objectContaining({
      name: "a",
      reason: expect.stringContaining(
        "State migration planned (state entries: 1 before, 2 after).",
      ),
    }),
  ]);
  expect(markdownOf(preview)).not.toContain("no changes");
});

test("an object that is not ready in time is one error", async () => {
  const failed = (awaited: boolean) => {
    const [{ resourcePreEvent }] = step("update", state("a"), state("a")) as [
      { resourcePreEvent: object },
      object,
    ];
    return { resOpFailedEvent: { ...resourcePreEvent, status: 0, steps: 1, awaited } };
  };
  expect((await previewWith(failed(true))).diagnostics).toEqual([
    {
      severity: "error",
      urn: urn("a"),
      message: expect.stringMatching(/^The object was not ready/),
    },
  ]);
  expect((await previewWith(failed(false))).diagnostics).toEqual([]);
});

const leftOver = { ...state("a"), id: "old", delete: true, outputs: size };
const same = step("same", state("a", { outputs: size }), state("a", { outputs: size }));

test("a replaced resource that an earlier update did not delete is listed as deleted", async () => {
  const preview = await previewWith(same, step("delete-replaced", leftOver, null, half));
  expect(operations(preview)).toEqual(["same a", "delete a"]);
  expect(irreversibleReasons(preview)).toEqual([
    "was replaced earlier, and the API cannot delete it: the update will fail, and the service keeps running",
  ]);
  expect(capacityOf(preview)).toMatchObject({ beforeGb: 384, afterGb: 384 });
});

test("a retained resource that an earlier update did not delete is listed as removed from state", async () => {
  const preview = await previewWith(
    same,
    step("delete-replaced", { ...leftOver, retainOnDelete: true }, null, half),
  );
  expect(operations(preview)).toEqual(["same a", "forget a"]);
});

test("several steps of a resource count as a deletion if a destroy runs the program", async () => {
  const service = state("a", { inputs: size, outputs: size });
  const preview = await previewWith(step("same", service, service), step("delete", service, null));
  expect(operations(preview)).toEqual(["same a", "delete a"]);
  const report = markdownOf(preview);
  expect(report).toContain("🗑️ 1 to delete");
  expect(report).toContain("is removed from the program, but the API cannot delete it");
  expect(capacityOf(preview)).toMatchObject({
    beforeGb: 192,
    afterGb: 192,
    rows: [{ isLeftBehind: true }],
  });
});

test("an imported and updated service counts as import and update, but as one service", async () => {
  const current = state("a", { inputs: size, outputs: size });
  const wanted = state("a", { inputs: { ...size, numReplicas: 4 } });
  const preview = await previewWith(step("import", null, current), step("update", current, wanted));
  expect(markdownOf(preview)).toContain("📥 1 to import, ✏️ 1 to update");
  expect(capacityOf(preview)).toMatchObject({ beforeGb: 192, afterGb: 256, rows: [{ name: "a" }] });
});

const provider = { ...state("acct2"), urn: urn("acct2", "pulumi:providers:pulumi-nodejs") };

test("an explicit provider counts as a resource, and a default provider does not", async () => {
  const byEngine = { ...provider, urn: urn("default_1_0_0", "pulumi:providers:aws") };
  const preview = await previewWith(
    step("update", provider, provider),
    step("create", null, byEngine),
  );
  expect(operations(preview)).toEqual(["update acct2"]);
  const missing = await previewWith(step("delete", provider, null));
  expect(verdictsOn(missing, "delete", "irreversible")).toEqual(["holds", "passes"]);
});

test("the stack resource counts only if nothing else changes", async () => {
  const stack = step("create", null, {
    ...state("shop-dev"),
    urn: urn("shop-dev", "pulumi:pulumi:Stack"),
  });
  expect(markdownOf(await previewWith(stack))).toContain(
    "**: no resource changes; create the stack itself.\n",
  );
  const withService = await previewWith(stack, step("create", null, state("a")));
  expect(markdownOf(withService)).toContain("**➕ 1 to create");
});

test("an external resource counts if it changes or is no longer read", async () => {
  const reference = (outputs: object) => ({
    ...state("other", { outputs }),
    urn: urn("other", "aws:vpc:Vpc"),
  });
  const [one, two] = [reference({ a: 1 }), reference({ a: 2 })];
  const [begun] = step("read", one, reference({}));
  for (const [events, says] of [
    [[begun, step("read", one, two)[1]], "👁️ 1 to read"],
    [step("read", one, one), "no changes"],
    [step("read", null, one), "no changes"],
    [step("discard", one, null), "✖️ 1 to discard"],
  ] as const) {
    const preview = await previewWith(...events);
    expect(markdownOf(preview)).toContain(says);
    expect(irreversibleReasons(preview)).toEqual([]);
  }
});

const change = step("create", null, state("a"));

test("a preview begins at its prelude, whatever the sequence numbers of its events", async () => {
  const previews = await previewsIn(
    textOf([...run(change), ...run(change, step("create", null, state("b")))]),
  );
  expect(previews.map(operations)).toEqual([["create a"], ["create a", "create b"]]);
});

test("a preview begins at its prelude, even after a run that was cut off or events about policies", async () => {
  const policies = { policyLoadEvent: {} };
  const previews = await previewsIn(
    textOf([policies, { preludeEvent: {} }, ...change, policies, ...run(change)]),
  );
  expect(previews.map(({ outcome }) => outcome)).toEqual(["cut off", "succeeded"]);
});

test("a remediation without an effect is not listed as a change", async () => {
  const policyRemediationEvent = {
    policyName: "x",
    policyPackName: "p",
    before: { a: 1 },
    after: { a: 2 },
  };
  const preview = await previewWith({ policyRemediationEvent });
  expect(preview.policies).toEqual([
    { policy: "x", pack: "p", result: "remediated", urn: "", message: "changes a" },
  ]);
  expect(markdownOf(preview)).toContain("no changes");
});

const rendered = (preview: Preview) => new MarkdownIt({ html: true }).render(markdownOf(preview));

test("a new list shows its entries without nesting", async () => {
  const inputs = { ...size, ipAccessList: [{ source: "192.0.2.1" }, { source: "192.0.2.2" }] };
  const html = rendered(
    await previewWith(step("create", null, state("a", { protect: true, inputs }))),
  );
  expect(html.match(/<ul>/g)).toHaveLength(2);
  expect(html).toContain("<li>+ <code>{ source: &quot;192.0.2.1&quot; }</code></li>");
});

test.each(["+ one", "- one", "1. one", "2) one", "---", "==="])(
  "the message %j is shown as text, not as a list or rule",
  async (message) => {
    const error = {
      diagnosticEvent: { severity: "error", message: `<{%reset%}>${message}<{%reset%}>\n` },
    };
    const html = rendered(await previewWith(error));
    expect(html).toContain(`<li>${message}</li>`);
    expect(html.match(/<ul>|<ol>|<hr>/g)).toHaveLength(1);
  },
);

test("a refresh lists changes outside of Pulumi", async () => {
  const refreshed = (name: string, op: string) => [
    step("refresh", state(name), state(name), half)[0],
    step(op, state(name), op === "delete" ? null : state(name), half)[1],
  ];
  const preview = await previewWith(
    refreshed("a", "update"),
    refreshed("b", "delete"),
    refreshed("c", "same"),
  );
  const report = markdownOf(preview);
  expect(report).toContain("2 drifted");
  expect(report).toContain(
    "- <code>a</code> differs from its stored state\n- <code>b</code> no longer exists\n",
  );
  expect(verdictsOn(preview, "drift")).toEqual(["holds"]);
});

const stored = { acl: "private", __meta: "1", key: "canary-old" };
const property = (name: string, before: string, after: string) =>
  `- <code>it</code> <code>${name}</code>: <code>${before}</code> → <code>${after}</code>`;

test.each<[string, string, object | null, string | undefined]>([
  [
    "outputs that differ",
    "1",
    { ...stored, acl: "public" },
    property("acl", '"private"', '"public"'),
  ],
  ["a secret that differs", "1", { ...stored, key: SECRET }, "&#91;secret&#93;"],
  ["an id that differs", "2", stored, "- <code>it</code> differs from its stored state"],
  ["a resource that is gone", "1", null, "- <code>it</code> no longer exists"],
  ["the same outputs", "1", stored, undefined],
  ["an internal property of the engine", "1", { ...stored, __meta: "2" }, undefined],
])("drift of another provider is judged by the stored state: %s", async (_, id, outputs, says) => {
  const bucket = { ...state("it"), urn: urn("it", "aws:s3/bucket:Bucket") };
  const now = outputs && { ...bucket, id, outputs };
  const [, done] = step("refresh", { ...bucket, id: "1", outputs: stored }, now, half);
  const preview = await previewWith(done);
  expect(verdictsOn(preview, "drift")).toEqual([says === undefined ? "passes" : "holds"]);
  expect(markdownOf(preview)).toContain(says ?? "no changes");
  expect(markdownOf(preview)).not.toContain("canary");
});

test("drift ignores server-only changes in fields of this provider", async () => {
  const [, done] = step(
    "refresh",
    state("it", { outputs: stored }),
    state("it", { outputs: { acl: "other" } }),
    half,
  );
  expect(verdictsOn(await previewWith(done), "drift")).toEqual(["passes"]);
});

test.each(["pulumi-nodejs:dynamic/clouddb:", "clouddb:index:"])(
  "the report names the object that a resource of type %s adopts or adds entries to",
  async (prefix) => {
    const adoption = (type: string, inputs: object) =>
      step("create", null, { urn: urn(type, prefix + type), id: "", inputs });
    const preview = await previewWith(
      adoption("Service", { existingServiceId: "id-1" }),
      adoption("ServiceScaling", { serviceId: "id-2" }),
      adoption("Pipe", { serviceId: "id-2", pipeId: "id-3" }),
      adoption("ServiceAccess", { serviceId: "id-4" }),
    );
    const text = markdownOf(preview);
    for (const words of [
      "adopt Service (Service id-1)",
      "adopt ServiceScaling (ServiceScaling id-2)",
      "adopt Pipe (Pipe id-3)",
      "create ServiceAccess (ServiceAccess id-4)",
    ])
      expect(text.replace(/<[^>]+>/g, "")).toContain(words);
  },
);
