import seed from "../../simulator/seeds/example.json";
import { EXAMPLE } from "../support/example";
import { expectFailure, expectOk, newStack, simulated } from "./support/stack";

const {
  service: SERVICE,
  pipes: { kafka: PIPE, postgres: POSTGRES },
} = EXAMPLE;

test("functions read once, accept outputs, and use the key of their interface", async () => {
  const api = await simulated({ seed: seed as never });
  const stack = await newStack(
    api,
    `module.exports = async () => {
      const args = { serviceId: "${SERVICE}", pipeId: "${PIPE}" };
      const [service, again] = await Promise.all([clouddb.getService(args), clouddb.getService(args)]);
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
  const api = await simulated({ seed: seed as never });
  const program = (rest: string) => `
    const first = new clouddb.Service("first", {});
    const provider = new clouddb.Provider("later", { keyId: first.createdAt.apply(() => "simulator") });
    ${rest}`;
  const stack = await newStack(
    api,
    program(`exports.name = clouddb.getServiceOutput({ serviceId: "${SERVICE}" }, { provider }).name;`),
  );
  await expectOk(stack.preview());
  expect(await api.requests()).toEqual([]);
  expect(await expectOk(stack.up())).toMatch(/name: "Analytics"/);

  const plain = await newStack(
    api,
    program(`module.exports = async () => (await clouddb.getService({ serviceId: "${SERVICE}" }, { provider })).name;`),
  );
  expect(await expectFailure(plain.preview())).toContain("call the function's Output form");
});

test("the preview names two resources that manage the same object", async () => {
  const api = await simulated({ seed: seed as never });
  const stack = await newStack(
    api,
    `new clouddb.Service("db", { existingServiceId: "${SERVICE}", numReplicas: 3 });
     new clouddb.ServiceScaling("size", { serviceId: "${SERVICE}", numReplicas: 3 });`,
  );
  const scaling = await expectFailure(stack.preview());
  // The engine checks both at the same time.
  expect(scaling).toMatch(new RegExp(`"(db|size)" and "(db|size)" both manage numReplicas of ${SERVICE}`));
  expect(await api.requests()).toEqual([]);
});

test("a pipe's nested secrets stay secret through up, refresh and drift", async () => {
  const api = await simulated({ seed: seed as never });
  const pipe = (port: number) => `
    const p = new clouddb.Pipe("p", {
      serviceId: "${SERVICE}", pipeId: "${POSTGRES}",
      source: { postgres: { port: ${port}, credentials: { username: "reader", password: "c4nary-password" } } },
    });
    exports.host = p.currentSource.apply((source) => source.postgres.host);`;
  const stack = await newStack(api, pipe(5432));
  const outputs = [await expectOk(stack.preview()), await expectOk(stack.up())];
  await api.change("PATCH", `/${SERVICE}/pipes/${POSTGRES}`, {
    source: { postgres: { port: 1 } },
  });
  outputs.push(await expectOk(stack.refresh()), await expectOk(stack.preview()));
  expect(outputs[3]).toMatch(/port\s*: 1 => 5432/);
  stack.program(pipe(6432));
  await api.requests();
  outputs.push(await expectOk(stack.up()), await expectOk(stack.pulumi("stack", "export")));
  expect(await api.requests()).toMatchObject([{ body: { source: { postgres: { port: 6432 } } } }]);
  for (const output of outputs) expect(output).not.toContain("c4nary-password");
  expect(outputs[1]).toMatch(/host: "pg.example.com"/);
});
