import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import fc from "fast-check";
import { validateXML } from "xmllint-wasm";
import { analyze } from "../../../report/analyze/analyze";
import type { Preview } from "../../../report/preview";
import { positionFrom, projectPlace } from "../../../report/read/positions";
import { renderJunit } from "../../../report/render/junit";
import { renderSarif } from "../../../report/render/sarif";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { arbitraryPreview } from "./support/arbitrary";
import { runCli } from "./support/cli";
import { previewOf, previewsIn, recording, recordingNames, textOf } from "./support/preview";

/** SARIF and JUnit XML are valid by their published schemas, and say what the report says. */

const vectors = join(root, "tests/support/vectors");
// Ajv reads the properties of JSON Schema's draft 4 that this schema uses, but not the draft's name.
const { $schema, id, ...schema } = JSON.parse(readFileSync(join(vectors, "sarif-2.1.0.json"), "utf8"));
const isSarif = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false }).compile(
  schema,
);
const xsd = readFileSync(join(vectors, "junit.xsd"), "utf8");

interface Sarif {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly Record<string, unknown>[] } };
    readonly automationDetails: { readonly id: string };
    readonly invocations: readonly object[];
    readonly results: readonly {
      readonly ruleId: string;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly object[];
      readonly partialFingerprints: { readonly primaryLocationLineHash: string };
      readonly suppressions?: readonly object[];
    }[];
  }[];
}

const PLACE = { folder: "infra", file: "Pulumi.yaml" };

function sarifOf(previews: readonly Preview[], masks: readonly RegExp[] = []): Sarif {
  const text = renderSarif(
    previews.map((preview) => analyze(preview, { masks, folder: "infra" })),
    PLACE,
  );
  return checked(text);
}

function checked(text: string): Sarif {
  const sarif = JSON.parse(text) as Sarif;
  isSarif(sarif);
  expect(isSarif.errors ?? []).toEqual([]);
  return sarif;
}

const junitOf = (previews: readonly Preview[]) =>
  renderJunit(previews.map((preview) => analyze(preview, { masks: [] })));

async function expectValid(...documents: string[]): Promise<void> {
  const xml = documents.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: xsd });
  expect(errors).toEqual([]);
}

const URN = "urn:pulumi:dev::shop::clouddb:index:Service::analytics";

/** A preview with these results, each about the service `analytics` unless it names another. */
function judged(...results: Partial<Preview["policies"][number]>[]): Preview {
  const one = {
    policy: "no-open-access",
    pack: "pulumi-clouddb-policies",
    result: "failed",
    urn: URN,
    message: "",
  } as const;
  return {
    ...previewOf(),
    policies: results.map((result) => ({ ...one, ...result })),
    positions: new Map([[URN, "project:///index.ts#4,13"]]),
  };
}

test.each(recordingNames)("%s is valid in both formats", async (name) => {
  const previews = await previewsIn(recording(name));
  const results = previews.flatMap(({ policies }) => policies.filter(({ result }) => result === "failed"));
  const sarif = sarifOf(previews);
  expect(sarif.runs.flatMap((run) => run.results.filter(({ level }) => level === "error"))).toHaveLength(
    results.length,
  );
  await expectValid(junitOf(previews));
});

test("random previews are valid in both formats, and in UTF-8", async () => {
  const documents: string[] = [];
  const wild = fc.string({
    unit: fc.oneof(
      fc.string({ unit: "binary", maxLength: 1 }),
      fc.nat(0xffff).map((code) => String.fromCharCode(code)),
    ),
  });
  const previews = fc.array(fc.tuple(arbitraryPreview, wild), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(previews, (some) => {
      const all = some.map(([preview, text]) => ({
        ...preview,
        project: text,
        policies: [
          ...preview.policies,
          { policy: text, pack: text, result: "failed", urn: text, message: text } as const,
        ],
      }));
      const texts = [junitOf(all), JSON.stringify(sarifOf(all))];
      for (const text of texts) expect(text.isWellFormed()).toBe(true);
      documents.push(texts[0] ?? "");
    }),
    { numRuns: 50 },
  );
  await expectValid(...documents);
});

describe("SARIF", () => {
  test("a violation has its policy, level, message, resource, help and place", () => {
    const message = 'Lists are closed.\nService "analytics": 0.0.0.0/0 is open.\n';
    const [run] = sarifOf([judged({ message })]).runs;
    expect(run?.tool.driver.rules).toEqual([
      {
        id: "no-open-access",
        shortDescription: { text: "Lists are closed." },
        helpUri: "https://github.com/pulumi-clouddb/pulumi-clouddb/blob/main/docs/policies.md#no-open-access",
      },
    ]);
    expect(run?.automationDetails.id).toBe("shop/dev/");
    expect(run?.invocations).toEqual([{ executionSuccessful: true }]);
    expect(run?.results).toEqual([
      {
        ruleId: "no-open-access",
        level: "error",
        message: { text: 'Service "analytics": 0.0.0.0/0 is open.' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "infra/index.ts", uriBaseId: "%SRCROOT%" },
              region: { startLine: 4, startColumn: 13 },
            },
            logicalLocations: [{ fullyQualifiedName: URN, kind: "resource" }],
          },
        ],
        partialFingerprints: { primaryLocationLineHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
  });

  test("the policies' own page has the section that the help names", () => {
    expect(readFileSync(join(root, "docs/policies.md"), "utf8")).toContain("\n## no-open-access\n");
  });

  test("levels follow the results, and policies of other packs have no help of ours", () => {
    const [run] = sarifOf([
      judged(
        { result: "warned" },
        { result: "not checked" },
        { result: "passed", policy: "p" },
        { result: "remediated" },
      ),
    ]).runs;
    expect(run?.results.map(({ level }) => level)).toEqual(["warning", "note"]);
    const other = sarifOf([judged({ pack: "ours" })]).runs[0]?.tool.driver.rules;
    expect(other).toEqual([{ id: "ours/no-open-access", shortDescription: { text: "no-open-access" } }]);
  });

  test("policies of the same name in two packs have a rule each", () => {
    const [run] = sarifOf([judged({}, { pack: "company" })]).runs;
    const ids = ["no-open-access", "company/no-open-access"];
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(ids);
    expect(run?.results.map(({ ruleId }) => ruleId)).toEqual(ids);
  });

  test("another policy named exemptions exempts nothing", () => {
    const message = "Company rules.\nexempted from no-open-access until 2027-03-31 (partner): open";
    const [run] = sarifOf([judged({ policy: "exemptions", pack: "company", result: "warned", message })]).runs;
    expect(run?.results[0]).toMatchObject({ ruleId: "company/exemptions", level: "warning" });
  });

  test("an exempted violation is suppressed, under the policy that it violates", () => {
    const message =
      'Exempted violations are in sight, and exemptions end.\nService "analytics": exempted from no-open-access until 2027-03-31 (partner; approved by security): 0.0.0.0/0 is open';
    const [run] = sarifOf([judged({ policy: "exemptions", result: "warned", message })]).runs;
    expect(run?.results[0]).toMatchObject({
      ruleId: "no-open-access",
      level: "note",
      suppressions: [
        { kind: "external", status: "accepted", justification: "until 2027-03-31 (partner; approved by security)" },
      ],
    });
  });

  test("fingerprints stay when lines move, and differ between findings", () => {
    const prints = (preview: Preview) =>
      sarifOf([preview]).runs.flatMap((run) => run.results.map((result) => Object.values(result.partialFingerprints)));
    const both = judged({ message: "one" }, { message: "two" }, { policy: "other" });
    const moved = { ...both, positions: new Map([[URN, "project:///index.ts#40,1"]]) };
    expect(new Set(prints(both).flat()).size).toBe(3);
    expect(prints(moved)).toEqual(prints(both));
  });

  test("what has no place in the repository is placed in the project file", () => {
    const uriOf = (position?: string) => {
      const preview = { ...judged({}), positions: new Map(position === undefined ? [] : [[URN, position]]) };
      return JSON.stringify(sarifOf([preview]).runs[0]?.results[0]?.locations);
    };
    expect(uriOf()).toContain('"uri":"infra/Pulumi.yaml"');
    expect(uriOf("project:///node_modules/other/index.js#1,1")).toContain("infra/Pulumi.yaml");
    expect(uriOf("project:///../../elsewhere.ts#1")).toContain("infra/Pulumi.yaml");
    expect(uriOf("project:///../shared/a%20b.ts#7")).toContain(
      '"uri":"shared/a%20b.ts","uriBaseId":"%SRCROOT%"},"region":{"startLine":7}',
    );
  });

  test("a text of the program is not a link", () => {
    const [run] = sarifOf([judged({ message: "[click](https://evil.example)" })]).runs;
    expect(run?.results[0]?.message.text).toBe("[click] (https://evil.example)");
  });

  test("a failed preview is an unsuccessful run with its reason, unless violations are the reason", () => {
    const diagnostics = [{ severity: "error", urn: "", message: "no such stack" }] as const;
    const invocations = (preview: Preview) => sarifOf([preview]).runs[0]?.invocations;
    expect(invocations({ ...judged({}), outcome: "failed", diagnostics })).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [{ level: "error", message: { text: "no such stack" } }],
      },
    ]);
    expect(invocations({ ...judged({}), outcome: "failed" })).toEqual([{ executionSuccessful: true }]);
    expect(invocations({ ...judged({}), outcome: "cut off" })).toMatchObject([{ executionSuccessful: false }]);
  });
});

describe("JUnit XML", () => {
  test("one suite per stack, one case per policy and resource", () => {
    const preview = judged(
      { message: 'Closed.\nfirst <&"> \u0001\ud800\uffff' },
      { message: "Closed.\nsecond" },
      { policy: "size", result: "not checked", message: "unknown" },
      { policy: "names", result: "warned", message: "long" },
      { policy: "regions", result: "passed", urn: "" },
    );
    expect(junitOf([preview, previewOf()])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="shop/dev" tests="4" failures="1" errors="0" skipped="1">
<testcase name="no-open-access: Service analytics" classname="shop/dev: pulumi-clouddb-policies"><failure message="first &#60;&#38;&#34;&#62;  ��">first &#60;&#38;&#34;&#62;  ��
second</failure></testcase>
<testcase name="size: Service analytics" classname="shop/dev: pulumi-clouddb-policies"><skipped>unknown</skipped></testcase>
<testcase name="names: Service analytics" classname="shop/dev: pulumi-clouddb-policies"><system-out>long</system-out></testcase>
<testcase name="regions" classname="shop/dev: pulumi-clouddb-policies"></testcase>
</testsuite>
<testsuite name="shop/dev" tests="0" failures="0" errors="0" skipped="0">
</testsuite>
</testsuites>
`);
  });

  test("resources of two types with one name are two cases, in a suite without a prefix", () => {
    const text = junitOf([judged({ result: "passed" }, { urn: URN.replace("Service::", "ServiceScaling::") })]);
    for (const type of ["Service", "ServiceScaling"])
      expect(text).toContain(`<testcase name="no-open-access: ${type} analytics" classname="pulumi-clouddb-policies">`);
  });

  test("a failed audit is not called a preview", () => {
    const text = junitOf([{ ...previewOf(), outcome: "failed", audit: {} }]);
    expect(text).toContain('<testcase name="audit" classname="pulumi"><error message="The audit failed.">');
  });

  test("a failed preview is an error with its reason", () => {
    const diagnostics = [{ severity: "error", urn: "", message: "no such stack\nat all" }] as const;
    expect(junitOf([{ ...previewOf(), outcome: "failed", diagnostics }])).toContain(
      '<testsuite name="shop/dev" tests="1" failures="0" errors="1" skipped="0">\n<testcase name="preview" classname="pulumi"><error message="no such stack at all">no such stack\nat all</error></testcase>',
    );
  });
});

describe("the command", () => {
  const events = [
    { preludeEvent: {} },
    {
      policyEvent: {
        resourceUrn: URN,
        message: "Closed.\nopen to hush-hush\n",
        policyName: "no-open-access",
        policyPackName: "pulumi-clouddb-policies",
        enforcementLevel: "mandatory",
      },
    },
    { resourcePreEvent: { metadata: { op: "create", urn: URN, type: "clouddb:index:Service", old: null, new: {} } } },
    { summaryEvent: {} },
  ];
  const digest = JSON.stringify({
    steps: [{ op: "create", urn: URN, newState: { type: "t", sourcePosition: "project:///index.ts#4,13" } }],
    changeSummary: { create: 1 },
  });

  test("writes both beside the report, masked, with positions of a digest", async () => {
    const folder = temporaryFolder("formats");
    const [sarif, junit, positions] = ["r.sarif", "r.xml", "digest.json"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(positions, digest);
    const args = ["--sarif", sarif, "--junit", junit, "--positions", positions, "--mask", "hush-\\w+"];
    const { status, stdout } = await runCli({ args, input: textOf(events) });
    expect([status, stdout]).toEqual([0, expect.stringContaining("<code>no-open-access</code> failed")]);
    const text = readFileSync(sarif, "utf8");
    expect(checked(text).runs[0]?.results[0]?.message).toEqual({ text: "open to [secret]" });
    expect(text).toContain('"startLine": 4');
    expect(readFileSync(junit, "utf8")).toContain("open to [secret]");
    await expectValid(readFileSync(junit, "utf8"));
  });

  test("has a run and a suite for each of several stacks", async () => {
    const folder = temporaryFolder("formats");
    const [sarif, junit] = ["r.sarif", "r.xml"].map((name) => join(folder, name)) as [string, string];
    const other = textOf(events).replaceAll("urn:pulumi:dev", "urn:pulumi:prod");
    await runCli({ args: ["--sarif", sarif, "--junit", junit], input: `${textOf(events)}\n${other}` });
    const { runs } = checked(readFileSync(sarif, "utf8"));
    expect(runs.map(({ automationDetails }) => automationDetails.id)).toEqual(["shop/dev/", "shop/prod/"]);
    expect(readFileSync(junit, "utf8").match(/<testsuite /g)).toHaveLength(2);
  });
});

test("a project in a subfolder of a repository, as Pulumi finds it from a folder below", () => {
  const folder = temporaryFolder("formats");
  mkdirSync(join(folder, ".git"));
  mkdirSync(join(folder, "deep/infra/src"), { recursive: true });
  writeFileSync(join(folder, "deep/infra/Pulumi.yml"), "name: shop");
  expect(projectPlace(join(folder, "deep/infra/src"))).toEqual({ folder: "deep/infra", file: "Pulumi.yml" });
  expect(projectPlace(folder)).toEqual({ folder: "", file: "Pulumi.yaml" });
});

test.each([
  ["project:///index.ts#4,13", { file: "index.ts", line: 4, column: 13 }],
  ["project:///src/a.py#4", { file: "src/a.py", line: 4, column: undefined }],
  ["project:///50%25.ts#1", { file: "50%.ts", line: 1, column: undefined }],
  ["project:///%ff.ts#1", { file: "%ff.ts", line: 1, column: undefined }],
  ["project:///index.ts#0", undefined],
  ["project:///index.ts", undefined],
  ["file:///etc/passwd#1", undefined],
  ["project:///../x.ts#1", undefined],
  [undefined, undefined],
])("the position %s", (text, position) => {
  expect(positionFrom(text, "")).toEqual(position);
});
