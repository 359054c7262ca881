import { expectFailure, expectOk, newStack, simulated, typeOf } from "../support/stack";

/** Options of resources that replace or delete a service without a diff of the provider. */

const urn = (name: string) => `urn:pulumi:dev::test::${typeOf("Service")}::${name}`;

/** Runs `pulumi up` with the first program; the second one is for the next command. */
async function created(first: string, second: string) {
  const api = await simulated();
  const stack = await newStack(api, first);
  // With a journal, a replacement by the next command would be the same service.
  stack.environment({ CLOUDDB_JOURNAL: "off" });
  await expectOk(stack.up());
  const ids = (await api.services()).map(({ id }) => id);
  await api.requests();
  stack.program(second);
  return { api, stack, ids };
}

test("a protected service is neither replaced by a trigger or with another resource, nor deleted with one", async () => {
  const program = (ofFirst: number, ofThird: number) => `
    const opts = { protect: false, replacementTrigger: ${ofFirst} };
    const first = new clouddb.Service("first", { region: "us-east-1" }, opts);
    new clouddb.Service("second", { region: "us-east-1" }, { replaceWith: [first], deletedWith: first });
    new clouddb.Service("third", { region: "us-east-1" }, { replacementTrigger: ${ofThird} });`;
  const { api, stack, ids } = await created(program(1, 1), program(2, 1));
  const withFirst = await expectFailure(stack.preview());
  expect(withFirst).toMatch(
    new RegExp(`unable to replace resource "${urn("second")}" as part of replacing .*protection`),
  );
  stack.program(program(1, 2));
  const alone = await expectFailure(stack.preview());
  expect(alone).toMatch(new RegExp(`unable to replace resource "${urn("third")}"\n?.*protection`));
  // The engine does not ask the provider, which would explain the replacement.
  expect(withFirst + alone).not.toContain("requires a new, empty service");

  expect(await expectFailure(stack.destroy())).toContain(`"${urn("second")}" cannot be deleted`);
  expect(await api.requests()).toEqual([]);
  expect((await api.services()).map(({ id }) => id)).toEqual(ids);
});

test("a retained service is replaced by a trigger or another resource: a second one is created", async () => {
  const program = (trigger: number) => `
    const opts = { retainOnDelete: true, replacementTrigger: ${trigger} };
    const first = new clouddb.Service("first", { region: "us-east-1" }, opts);
    new clouddb.Service("second", { region: "us-east-1" }, { retainOnDelete: true, replaceWith: [first] });`;
  const { api, stack } = await created(program(1), program(2));
  const preview = await expectOk(stack.preview());
  expect(preview).toContain("+-2 to replace");
  expect(preview).not.toContain("CDB");
  await expectOk(stack.up());
  expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services", "POST /services"]);
  await expectOk(stack.destroy());
  expect(await api.requests()).toEqual([]);
  expect(await api.services()).toHaveLength(4);
});

test("a service that is deleted with another resource leaves the stack and stays, and hidden differences are sent", async () => {
  const program = (numReplicas: number) => `
    const first = new clouddb.Service("first", {}, { retainOnDelete: true });
    const opts = { protect: false, deletedWith: first, hideDiffs: ["numReplicas"] };
    new clouddb.Service("second", { numReplicas: ${numReplicas} }, opts);`;
  const { api, stack, ids } = await created(program(2), program(3));
  const preview = await expectOk(stack.preview());
  expect(preview).toContain("~ 1 to update");
  expect(preview).not.toContain("2 => 3");
  await expectOk(stack.up());
  expect((await api.requests()).map(({ body }) => body)).toEqual([{ numReplicas: 3 }]);
  expect(await expectOk(stack.destroy())).toContain("- 3 deleted");
  expect(await api.requests()).toEqual([]);
  expect((await api.services()).map(({ id }) => id)).toEqual(ids);
});
