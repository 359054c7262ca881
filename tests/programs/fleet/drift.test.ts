import { requestsToRefresh } from "../../../fleet/budget";
import { expectOk, newStack, simulated } from "../../engine/support/stack";
import { EXAMPLE, exampleSeed } from "../../support/example";
import { blockBehind } from "../review/support/blocks";
import { COMMAND, compileProgram, newFleet, resultsIn, serviceOf } from "./support";

/** `clouddb-fleet drift` on the real engine, with the simulator. */

test("drift of a fleet within a budget of requests", async () => {
  const api = await simulated();
  const program = await compileProgram();
  const fleet = await newFleet(api, program, 5);
  await expectOk(fleet.tool("roll-out", "--change", "1"));
  for (const stack of ["s-02", "s-05"]) {
    const service = (await api.services()).find(({ name }) => name === serviceOf(stack));
    await api.change("PATCH", `/${service?.id}/replicaScaling`, { numReplicas: 7 });
  }
  const sent = async () => (await api.requests()).map(({ request }) => request);
  await sent();

  const first = await fleet.tool("drift", "--max-requests", "3", "--concurrency", "1", "--report", "report.md");
  expect(await sent()).toEqual(Array(3).fill("GET /services/{id}"));
  expect([first.code, resultsIn(first.output)]).toEqual([
    2,
    { "s-01": "no drift", "s-02": "drift", "s-03": "no drift", "s-04": "not checked", "s-05": "not checked" },
  ]);
  expect(first.output).toContain("5 stacks: 1 with drift, 0 failed, 2 not checked in this run.");
  const report = fleet.read("report.md");
  expect(report).toMatch(/^<!-- clouddb-report clouddb-fleet%2Fdrift -->\n\n## Drift of clouddb-fleet\n/);
  expect(report).toContain("- <code>orders</code> <code>numReplicas</code>: <code>2</code> → <code>7</code>");
  expect(report.match(/^### .*$/gm)).toEqual(["### <code>clouddb-fleet</code> / <code>s-02</code>"]);

  // The second run is that of the nightly workflow.
  const block = blockBehind("github/workflows/drift-fleet.yml", "- name: Check for drift");
  const variables = "export MAX_REQUESTS=3 GITHUB_STEP_SUMMARY=summary.md\n";
  const second = await fleet.command("bash", "-e", "-c", variables + block);
  expect(fleet.read("summary.md")).toMatch(/^<!-- clouddb-report clouddb-fleet%2Fdrift -->/);
  expect(await sent()).toHaveLength(3);
  expect([second.code, resultsIn(second.output)]).toEqual([
    2,
    { "s-04": "no drift", "s-05": "drift", "s-01": "no drift", "s-02": "drift found earlier", "s-03": "not checked" },
  ]);
  expect(second.output).toContain(
    "5 stacks: 1 with drift, 1 with drift found earlier, 0 failed, 2 not checked in this run.",
  );
  // Drift of a stack that is not checked again does not disappear from the report.
  const sections = (text: string) => text.match(/^### .*(?:\n(?!###|<!--).*)*/gm) ?? [];
  const nextReport = fleet.read("report.md");
  expect(nextReport).toMatch(/^\| s-02 \| drift found earlier \| orders \|/m);
  expect(sections(nextReport)).toHaveLength(2);
  expect(sections(nextReport)).toContain(sections(report)[0]);

  // A check that fails early reports why, and the drift that is known.
  const failed = await fleet.tool("drift", "--stacks", "s-02,other", "--report", "report.md");
  expect(failed).toEqual({ code: 1, output: "The project has no stack other.\n" });
  const failure = fleet.read("report.md");
  expect(failure).toMatch(
    /^<!-- clouddb-report clouddb-fleet%2Fdrift -->\n\n## Drift of clouddb-fleet\n\n❌ The project has no stack other\.\n/,
  );
  expect(failure).toMatch(/^\| s-02 \| drift found earlier \| orders \|/m);
  expect(sections(failure)).toEqual(expect.arrayContaining(sections(nextReport)));
  const misconfigured = await fleet.command(
    "bash",
    "-e",
    "-c",
    `export MAX_REQUESTS= GITHUB_STEP_SUMMARY=summary.md\n${block}`,
  );
  expect(misconfigured.code).toBe(1);
  expect(fleet.read("report.md")).toContain('❌ --max-requests must be a positive integer; got ""');

  const backend = "PULUMI_BACKEND_URL=postgres://pulumi:hush-hush@127.0.0.1:1/pulumi";
  const unreachable = await fleet.command("env", backend, COMMAND(), "drift", "--report", "report.md");
  expect(unreachable.code).toBe(1);
  for (const text of [unreachable.output, fleet.read("report.md")]) {
    expect(text).toMatch(/Listing the stacks failed: unable to open bucket postgres:\/\/pulumi:.*secret.*@127/);
    expect(text).not.toContain("hush-hush");
  }

  // Also the drift that an earlier run has recorded without masks.
  const masked = await fleet.tool("drift", "--stacks", "s-02", "--mask", "orders", "--report", "report.md");
  expect([masked.code, resultsIn(masked.output)]).toEqual([2, { "s-02": "drift" }]);
  for (const text of [masked.output, fleet.read("report.md"), fleet.read(".drift.json")]) {
    expect(text).not.toContain("orders");
  }

  const stored = await fleet.tool("drift", "--store", "--stacks", "s-02");
  expect([stored.code, resultsIn(stored.output)]).toEqual([2, { "s-02": "drift" }]);
  expect(resultsIn(await expectOk(fleet.tool("drift", "--stacks", "s-02")))).toEqual({ "s-02": "no drift" });
});

test("a stack whose check failed stays failed until it is checked again", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, await compileProgram(), 2);
  await expectOk(fleet.tool("roll-out", "--change", "1"));
  const service = (await api.services()).find(({ name }) => name === serviceOf("s-01"));
  await api.faults({ method: "GET", path: String(service?.id), effect: { kind: "status", status: 403 } });
  const variables = "export MAX_REQUESTS=1 GITHUB_STEP_SUMMARY=summary.md GITHUB_OUTPUT=output.txt\n";
  const block = blockBehind("github/workflows/drift-fleet.yml", "- name: Check for drift");
  const night = async () => {
    const { code, output } = await fleet.command("bash", "-e", "-c", `: > output.txt\n${variables}${block}`);
    return [code, resultsIn(output), fleet.read("output.txt")];
  };

  expect(await night()).toEqual([1, { "s-01": "failed", "s-02": "not checked" }, ""]);
  await api.faults();
  expect(await night()).toEqual([1, { "s-02": "no drift", "s-01": "failed earlier" }, ""]);
  expect(fleet.read("report.md")).toMatch(/2 stacks: 0 with drift, 0 failed, 1 failed earlier, [\s\S]*\n- s-01: .*403/);
  expect(await night()).toEqual([0, { "s-01": "no drift", "s-02": "not checked" }, "resolved=true\n"]);
  // Without the record, nothing is known of the other stack.
  await fleet.command("rm", ".drift.json");
  expect(await night()).toEqual([0, { "s-01": "no drift", "s-02": "not checked" }, ""]);
  expect(fleet.read("report.md")).toMatch(/^<!-- .* -->\n<!-- clouddb-report: only updates an earlier comment -->\n/);
});

test("a refresh sends as many requests as its budget says, for each type of resource", async () => {
  const api = await simulated({ seed: exampleSeed });
  const { service, otherService, pipes } = EXAMPLE;
  const stack = await newStack(
    api,
    `new clouddb.Service("new", {});
    new clouddb.Service("adopted", { existingServiceId: "${service}" });
    new clouddb.ServiceScaling("size", { serviceId: "${otherService}", numReplicas: 4 });
    new clouddb.Pipe("orders", { serviceId: "${service}", pipeId: "${pipes.kafka}", name: "all orders" });
    new clouddb.Organization("us", { name: "Renamed" });`,
  );
  await expectOk(stack.up());
  await api.requests();
  await expectOk(stack.pulumi("refresh", "--preview-only"));
  const sent = await api.requests();
  expect(sent.every(({ request }) => request.startsWith("GET "))).toBe(true);
  expect(requestsToRefresh({ resources: await stack.resources() })).toBe(sent.length);
});
