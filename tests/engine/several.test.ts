import { join } from "node:path";
import { EXAMPLE, exampleSeed } from "../support/example";
import { newStack, simulated } from "./support/stack";

/** Several resources share the lists of a service, and several machines a stack. */

const { service, otherService } = EXAMPLE;
const office = { source: "203.0.113.0/24", description: "office" };
const build = { source: "198.51.100.7", description: "build server" };
const named = (source: string, text = "x ") => ({ source, description: `${text}(test/dev)` });

const loop = (...sources: string[]) => `
  ${JSON.stringify(sources)}.forEach((source, index) => {
    const ipAccessList = [{ source, description: "x" }];
    new clouddb.ServiceAccess(\`ip-\${index}\`, { serviceId: "${service}", ipAccessList });
  });`;
const access = (name: string, serviceId: string, source: string) =>
  `new clouddb.ServiceAccess("${name}", { serviceId: "${serviceId}", ipAccessList: [{ source: "${source}" }] });`;
const renamed = (name: string, options: string, description = "reports") => {
  const args = { serviceId: service, ipAccessList: [{ source: "192.0.2.8", description }] };
  return `new clouddb.ServiceAccess("${name}", ${JSON.stringify(args)}, ${options});`;
};
const database = (args = "") =>
  `new clouddb.Service("db", { existingServiceId: "${otherService}", ${args} });`;

test("two machines that reorder, rename and merge access entries lose no access", async () => {
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(api);
  const listOf = async (id: string) =>
    (await api.services()).find((each) => each.id === id)?.ipAccessList as unknown[];
  const before = await listOf(otherService);
  stack.program(
    loop("192.0.2.1", "192.0.2.2", "192.0.2.3") +
      access("office", service, "192.0.2.9") +
      access("jobs", otherService, "192.0.2.64/28") +
      renamed("report", "{}") +
      database(),
  );
  await stack.up();

  // A second machine has a journal of its own.
  const home = join(stack.folder, "other-home");
  stack.environment({ PULUMI_HOME: home });
  const moved =
    loop("192.0.2.2", "192.0.2.3") +
    access("office-network", service, "192.0.2.9") +
    renamed("reports", `{ aliases: [{ name: "report" }] }`) +
    database(
      `ipAccessList: ${JSON.stringify([...before, { source: "192.0.2.64/28", description: "jobs" }])}`,
    );
  stack.program(moved);
  const output = await stack.up("--parallel", "16");
  expect(output).toContain(
    `leaves 1 of its entries to "office-network", which the program declares with them now.`,
  );
  const remaining = [
    named("192.0.2.2"),
    named("192.0.2.3"),
    named("192.0.2.8", "reports "),
    { source: "192.0.2.9", description: "test/dev" },
  ];
  const all = [office, build, ...remaining];
  expect(await listOf(service)).toEqual(expect.arrayContaining(all));
  expect(await listOf(service)).toHaveLength(all.length);
  expect(await listOf(otherService)).toEqual([
    ...before,
    { source: "192.0.2.64/28", description: "jobs" },
  ]);

  // Another team adds what the stack has given up.
  const theirs = { source: "192.0.2.1", description: "another team" };
  await api.change("PATCH", `/${service}`, { ipAccessList: { add: [theirs] } });
  stack.environment({ PULUMI_HOME: join(stack.folder, "home") });
  await api.requests();
  await stack.up("--expect-no-changes");
  expect(await api.requests()).toEqual([]);
  await stack.refresh("--expect-no-changes");
  // A refresh of a dynamic resource knows only the URN of its last update.
  stack.program(moved.replace(`"description":"reports"`, `"description":"new text"`));
  const preview = await stack.preview();
  expect(preview).toMatch(/description: "reports \(test\/dev\)" => "new text \(test\/dev\)"/);
  expect(preview).not.toContain("__urn");
  stack.program(database());
  await stack.up();
  expect(await listOf(service)).toEqual([office, build, theirs]);
  expect(await listOf(otherService)).toEqual([
    ...before,
    { source: "192.0.2.64/28", description: "jobs" },
  ]);
});
