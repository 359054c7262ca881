import { expectFailure, expectOk, newStack, simulated } from "../support/stack";

test("the stack's autonaming names new services: proposed, enforced, disabled", async () => {
  const api = await simulated();
  const stack = await newStack(api, `new clouddb.Service("db", { region: "us-east-1" }, { protect: false });`);
  const names = async () => (await api.services()).map(({ name }) => name);
  const autonaming = (...setting: string[]) => expectOk(stack.pulumi("config", "set", "--path", ...setting));

  await autonaming("pulumi:autonaming.mode", "disabled");
  expect(await expectFailure(stack.preview())).toContain(
    "pulumi:autonaming is disabled for this service; declare name.",
  );

  await expectOk(stack.pulumi("config", "rm", "pulumi:autonaming"));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a pattern of the engine
  await autonaming("pulumi:autonaming.pattern", "shop-${stack}-${name}");
  await autonaming("pulumi:autonaming.enforce", "true");
  expect(await expectFailure(stack.preview())).toContain('pulumi:autonaming enforces the name "shop-dev-db"');
  expect(await names()).toEqual([]);

  await autonaming("pulumi:autonaming.enforce", "false");
  await expectOk(stack.up());
  expect(await names()).toEqual(["shop dev db"]);

  // A service keeps its name.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a pattern of the engine
  await autonaming("pulumi:autonaming.pattern", "${name}-${hex(6)}");
  await expectOk(stack.preview("--expect-no-changes"));
});
