import { EXAMPLE, exampleSeed as seed } from "../support/example";
import { expectFailure, expectOk, newStack, simulated } from "./support/stack";

const {
  service: SERVICE,
  pipes: { kafka: PIPE },
} = EXAMPLE;

test("functions read once, accept outputs, and use the key of their interface", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(
    api,
    `module.exports = async () => {
      const args = { serviceId: "${SERVICE}", pipeId: "${PIPE}" };
      const { pipeId, ...ofService } = args;
      const [service, again] = await Promise.all([clouddb.getService(ofService), clouddb.getService(ofService)]);
      const pipe = await clouddb.getPipe(args);
      const alert = await clouddb.getAlert({ id: "alert-errors" });
      return {
        name: service.name, same: service === again, state: pipe.state, wait: pipe.settings.streamingMaxInsertWaitMs,
        settings: clouddb.getPipeSettingsOutput({ ...args, pipeId: pulumi.output(args.pipeId) }).engineMaxThreads,
        threshold: alert.threshold,
        boards: (await clouddb.getDashboards()).dashboards.length,
      };
    };`,
  );
  const output = await expectOk(stack.up());
  for (const line of [
    /name\s*: "Analytics"/,
    /same\s*: true/,
    /state\s*: "Running"/,
    /wait\s*: 1000/,
    /settings\s*: 8/,
    /threshold\s*: 25/,
    /boards\s*: 2/,
  ]) {
    expect(output).toMatch(line);
  }
  expect((await api.requests()).map(({ request }) => request).sort()).toEqual([
    "GET /api/v2/alerts/alert-errors",
    "GET /api/v2/dashboards",
    "GET /services/{id}",
    "GET /services/{id}/pipes/{id}",
    "GET /services/{id}/pipes/{id}/settings",
  ]);
});

test("with an unknown provider, output forms stay unknown and plain forms fail with a hint", async () => {
  const api = await simulated({ seed });
  const program = (rest: string) => `
    const home = new clouddb.Provider("home", { keyId: "${api.keyId}" });
    const first = new clouddb.Service("first", {}, { provider: home });
    const provider = new clouddb.Provider("later", { keyId: first.createdAt.apply(() => "${api.keyId}") });
    new clouddb.Service("second", {}, { provider });
    ${rest}`;
  const stack = await newStack(
    api,
    program(`exports.name = clouddb.getServiceOutput({ serviceId: "${SERVICE}" }, { provider }).name;`),
  );
  // A key that is not known yet is not missing.
  stack.environment({ CLOUDDB_KEY_ID: undefined });
  expect(await expectOk(stack.preview())).toMatch(/name: \[unknown\]/);
  expect(await api.requests()).toEqual([]);
  expect(await expectOk(stack.up())).toMatch(/name: "Analytics"/);

  const plain = await newStack(
    api,
    program(`module.exports = async () => (await clouddb.getService({ serviceId: "${SERVICE}" }, { provider })).name;`),
  );
  expect(await expectFailure(plain.preview())).toContain("call the function's Output form");
});
