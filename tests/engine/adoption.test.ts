import { expectOk, newStack, simulated, storedService } from "./support/stack";

test("an existing service is adopted, managed and released", async () => {
  const api = await simulated();
  const { service } = await api.change("POST", "", { name: "elder", numReplicas: 4 });
  const existingServiceId = (service as { id: string }).id;
  const db = (args: object, opts = "{}") => `new clouddb.Service("db", ${JSON.stringify(args)}, ${opts});`;
  const stack = await newStack(api, db({ existingServiceId, region: "us-east-1", numReplicas: 4 }));
  const sentRequests = async () => (await api.requests()).map(({ request, body }) => [request, body]);

  await expectOk(stack.preview());
  expect(await sentRequests()).toEqual([]);
  await expectOk(stack.up());
  expect(await sentRequests()).toEqual([["GET /services/{id}", null]]);
  const { id, sourcePosition } = await storedService(stack);
  expect(id).toBe(existingServiceId);
  expect(sourcePosition).toMatch(/^project:\/\/\/index\.js#/);

  // The argument is no longer needed; the name was never declared and stays the server's.
  stack.program(db({ region: "us-east-1", numReplicas: 5 }, "{ protect: false }"));
  await expectOk(stack.up());
  expect(await sentRequests()).toEqual([["PATCH /services/{id}/replicaScaling", { numReplicas: 5 }]]);
  expect((await api.services())[0]?.name).toBe("elder");

  // An adopted service is released, not deleted.
  expect(await expectOk(stack.destroy())).toContain("keeps running and costing money: it was adopted");
  expect(await sentRequests()).toEqual([]);
  expect(await api.services()).toHaveLength(1);
});
