import { expectOk, simulated } from "../../engine/support/stack";
import { COMMAND, newFleet, resultsIn, serviceOf } from "./support";

/** `clouddb-fleet drift` on the real engine, with the simulator. */

test("drift of a fleet is found with one request per service, one report and an exit code", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, 3);
  await expectOk(fleet.tool("roll-out"));
  await fleet.select("s-02");
  const service = async (stack: string) =>
    (await api.services()).find(({ name }) => name === serviceOf(stack))?.id;
  await api.change("PATCH", `/${await service("s-02")}/replicaScaling`, { numReplicas: 7 });
  await api.requests();

  const night = () => fleet.tool("drift", "--report", "report.md");
  const first = await night();
  expect(await api.requestNames()).toEqual(Array(3).fill("GET /services/{id}"));
  expect([first.code, resultsIn(first.output)]).toEqual([
    2,
    { "s-01": "no drift", "s-02": "drift", "s-03": "no drift" },
  ]);
  expect(first.output).toContain("3 stacks: 2 no drift, 1 drift.");
  const report = fleet.report();
  expect(report).toMatch(
    /^<!-- clouddb-report clouddb-fleet%2F%2Fdrift -->\n\n## Drift of clouddb-fleet\n/,
  );
  expect(report).toContain("- s-02: drift, orders");
  expect(report).not.toContain("To apply");
  expect(report).toContain(
    "- <code>orders</code> <code>numReplicas</code>: <code>2</code> → <code>7</code>",
  );
  expect(report.match(/^### .*$/gm)).toEqual([
    "### <code>clouddb-fleet</code> / <code>s-02</code>",
  ]);

  await expectOk(fleet.command("pulumi", "refresh", "--yes", "--stack", "s-02"));
  await api.faults({
    method: "GET",
    path: String(await service("s-01")),
    times: 1,
    effect: { kind: "status", status: 403 },
  });
  const failed = await night();
  expect([failed.code, resultsIn(failed.output)]).toEqual([
    1,
    { "s-01": "failed", "s-02": "no drift", "s-03": "no drift" },
  ]);
  expect(await fleet.selected()).toBe("s-02");
  expect(fleet.report()).toMatch(/^- s-01: failed$[\s\S]*403/m);
  expect((await night()).code).toBe(0);
  expect(await fleet.selected()).toBe("s-02");
});

test("a check that does not start reports the reason without the backend's password", async () => {
  const fleet = await newFleet(await simulated(), 1);
  const unknown = await fleet.tool("drift", "--stacks", "s-01,other", "--report", "report.md");
  expect(unknown).toEqual({ code: 1, output: "The project has no stack other.\n" });
  expect(fleet.report()).toBe(
    "<!-- clouddb-report clouddb-fleet%2F%2Fdrift -->\n\n## Drift of clouddb-fleet\n\n❌ The project has no stack other.\n",
  );

  const backend = "PULUMI_BACKEND_URL=postgres://pulumi:hush-hush@127.0.0.1:1/pulumi";
  const unreachable = await fleet.command(
    "env",
    backend,
    COMMAND(),
    "drift",
    "--report",
    "report.md",
  );
  expect(unreachable.code).toBe(1);
  for (const text of [unreachable.output, fleet.report()]) {
    expect(text).toMatch(/Listing the stacks failed: unable to open state database .*secret/);
    expect(text).not.toContain("hush-hush");
  }
});
