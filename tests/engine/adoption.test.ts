import { expectFailure, expectOk, newStack, simulated, storedService } from "./support/stack";

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

  await expectOk(stack.up("--expect-no-changes"));
  await expectOk(stack.refresh("--expect-no-changes"));
  await api.requests();

  // The argument is no longer needed; the name was never declared and stays as the server has it.
  stack.program(db({ region: "us-east-1", numReplicas: 4 }));
  await expectOk(stack.up("--expect-no-changes"));
  await expectOk(stack.refresh("--expect-no-changes"));
  stack.program(db({ region: "us-east-1", numReplicas: 5 }));
  await expectOk(stack.up());
  expect((await sentRequests()).filter(([request]) => request !== "GET /services/{id}")).toEqual([
    ["PATCH /services/{id}/replicaScaling", { numReplicas: 5 }],
  ]);
  expect((await api.services())[0]?.name).toBe("elder");

  // An adopted service is released, not deleted.
  stack.program(db({ region: "us-east-1", numReplicas: 5 }, "{ protect: false }"));
  await expectOk(stack.up());
  await api.requests();
  expect(await expectOk(stack.destroy())).toContain("keeps running and costing money: it was adopted");
  expect(await sentRequests()).toEqual([]);
  expect(await api.services()).toHaveLength(1);
});

test("a service that does not exist or differs from its declaration is not adopted", async () => {
  const api = await simulated();
  const unknown = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
  const stack = await newStack(api, `new clouddb.Service("db", { existingServiceId: "${unknown}" });`);
  const missing = await expectFailure(stack.up());
  expect(missing).toContain(`Adopting service ${unknown}`);
  expect(missing).toMatch(/returned 404, NOT_FOUND.*Nothing was changed\. Check the ids/);

  const { service } = await api.change("POST", "", { name: "elder" });
  const { id } = service as { id: string };
  stack.program(`new clouddb.Service("db", { existingServiceId: "${id}", hasTransparentDataEncryption: true });`);
  const other = await expectFailure(stack.up());
  expect(other).toContain("hasTransparentDataEncryption is false but the program declares true");
  expect((await api.requests()).map(({ request }) => request)).toEqual(["GET /services/{id}"]);
});
