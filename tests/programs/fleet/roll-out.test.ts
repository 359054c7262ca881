import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, expectOk, simulated, testHome } from "../../engine/support/stack";
import { COMMAND, newFleet, resultsIn, serviceOf, setAlert, stacksIn, watching } from "./support";

/** `clouddb-fleet roll-out` on the real engine, with the simulator. */

test("a roll-out to 20 stacks starts with the canary, whose failure stops it", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, 20);
  const args = ["--canary", "s-13", "--concurrency", "4"];
  const output = await expectOk(fleet.tool("roll-out", ...args, "--report", "report.md"));
  const created = await api.requests();
  expect(created.map(({ request }) => request)).toEqual(Array(20).fill("POST /services"));
  expect(stacksIn(created)[0]).toBe("s-13");
  expect(stacksIn(created).sort()).toEqual(fleet.names);
  expect(output.indexOf("s-13: updated, 1 create")).toBeLessThan(output.indexOf("s-01: started"));
  expect(resultsIn(output)).toEqual(
    Object.fromEntries(fleet.names.map((name) => [name, "updated"])),
  );
  expect(output).toContain("20 stacks: 20 updated.");
  const report = fleet.report();
  expect(report).toMatch(
    /^<!-- clouddb-report clouddb-fleet%2F%2Froll-out -->\n\n## Roll-out of clouddb-fleet\n/,
  );
  expect(report.match(/^- s-\d\d: updated, 1 create$/gm)).toHaveLength(20);
  expect(report).not.toContain("To apply");

  fleet.resize(3);
  const canary = (await api.services()).find(({ name }) => name === serviceOf("s-13"));
  await api.faults({
    method: "PATCH",
    path: String(canary?.id),
    effect: { kind: "status", status: 403 },
  });
  const refused = await expectFailure(fleet.tool("roll-out", ...args));
  expect(await api.requestNames()).toEqual(["PATCH /services/{id}/replicaScaling"]);
  expect(resultsIn(refused)).toMatchObject({
    "s-12": "not started",
    "s-13": "failed",
    "s-14": "not started",
  });
  expect(refused).toMatch(
    /^ {2}Updating service .* \("orders s 13"\): the API returned 403, .* Not done: numReplicas\. Grant the key/m,
  );
  expect(refused).toMatch(
    /20 stacks: 19 not started, 1 failed\.\nTo go on, run the same command again/,
  );
  expect((await api.services()).map(({ numReplicas }) => numReplicas)).toEqual(Array(20).fill(2));
});

test("a failure stops the roll-out, and the same command continues", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, 3);
  const one = (...args: string[]) => fleet.tool("roll-out", "--concurrency", "1", ...args);
  const none = { kind: "latency", milliseconds: 0 } as const;
  const refusal = { kind: "status", status: 403 } as const;

  await api.faults({ method: "POST", times: 1, effect: none }, { method: "POST", effect: refusal });
  const stopped = await one();
  expect([stopped.code, resultsIn(stopped.output)]).toEqual([
    1,
    { "s-01": "updated", "s-02": "failed", "s-03": "not started" },
  ]);
  expect(stacksIn(await api.requests())).toEqual(["s-01", "s-02"]);

  await api.faults();
  expect(resultsIn(await expectOk(one()))).toEqual({
    "s-01": "unchanged",
    "s-02": "updated",
    "s-03": "updated",
  });
  expect(stacksIn(await api.requests())).toEqual(["s-02", "s-03"]);

  expect(resultsIn(await expectOk(one("--stacks", "s-02,s-01")))).toEqual({
    "s-01": "unchanged",
    "s-02": "unchanged",
  });
  expect(await api.requests()).toEqual([]);
});

test("a bad alert stops the roll-out at the start or after the canary, and a good alert does not", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, 2);
  const run = async () => {
    const { code, output } = await fleet.tool(
      "roll-out",
      ...watching("1s"),
      "--report",
      "report.md",
    );
    const requests = await api.requestNames();
    return { code, output, results: resultsIn(output), requests };
  };
  const read = "GET /api/v2/alerts/alert-errors";

  await setAlert(api, "ALERT");
  const atStart = await run();
  expect(atStart).toMatchObject({
    code: 3,
    results: { "s-01": "not started", "s-02": "not started" },
    requests: [read],
  });
  const reason =
    'The alert alert-errors is "ALERT", not "OK": no more stacks are started. Do not go on until it is "OK" again; then run the same command again.';
  expect(atStart.output).toContain(`2 stacks: 2 not started.\n${reason}\n`);
  expect(atStart.output).not.toContain("To go on");
  expect(fleet.report()).toContain(reason);

  await setAlert(api, "OK", "ALERT");
  const afterCanary = await run();
  expect(afterCanary).toMatchObject({
    code: 3,
    results: { "s-01": "not started", "s-02": "updated" },
    requests: [read, "POST /services", read],
  });
  expect(afterCanary.output).toContain(reason);

  await setAlert(api, "OK");
  expect(await run()).toMatchObject({
    code: 0,
    results: { "s-01": "updated", "s-02": "unchanged" },
    requests: [read, read, "POST /services"],
  });
});

test("previews change nothing, and policies fail the stack that breaks them", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, 2);
  fleet.configure("s-01", { access: [{ source: "0.0.0.0/0", description: "all" }] });
  const policies = ["--policies", join(testHome(), "node_modules/pulumi-clouddb-policies")];
  const refused = await fleet.tool("roll-out", "--preview", ...policies, "--report", "report.md");
  expect([refused.code, resultsIn(refused.output)]).toEqual([
    1,
    { "s-01": "failed", "s-02": "to update" },
  ]);
  expect(refused.output).toMatch(/^ {2}no-open-access: /m);
  expect(await api.requests()).toEqual([]);
  const report = fleet.report();
  expect(report).toContain("- s-01: failed");
  expect(report).toContain("❌ <code>no-open-access</code> failed");
  expect(report).toContain("To apply: <code>pulumi up --stack s-02</code>");

  const stopped = await fleet.tool("roll-out", ...policies, "--concurrency", "1");
  expect([stopped.code, resultsIn(stopped.output)]).toEqual([
    1,
    { "s-01": "failed", "s-02": "not started" },
  ]);
  expect(await api.requests()).toEqual([]);
});

test("a failed program's reason is shown without stack trace and secrets of the environment", async () => {
  const fleet = await newFleet(await simulated(), 1);
  writeFileSync(
    join(fleet.folder, "index.js"),
    'throw new Error("hush-token is no known customer");',
  );
  const rollOut = ["roll-out", "--preview", "--report", "report.md"];
  const output = await expectFailure(
    fleet.command("env", "DEPLOY_TOKEN=hush-token", COMMAND(), ...rollOut),
  );
  expect(output).toMatch(
    /^s-01: failed\n {2}Running program '.*' failed with an unhandled exception:\nError: \[secret\] is no known customer\n/m,
  );
  const report = fleet.report().replaceAll("&#8203;", "");
  expect(report.match(/^- Running program/gm)).toHaveLength(1);
  expect(report).toMatch(/.{1,5}secret.{1,5} is no known customer/);
  for (const text of [output, report]) expect(text).not.toContain("hush");
});
