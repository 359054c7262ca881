import * as pulumi from "@pulumi/pulumi";
import { Provider } from "./provider";

/** The settings of an explicit provider: its arguments, then the stack's configuration. */

const STACK = "11111111-1111-4111-8111-111111111111";
const OTHER = "22222222-2222-4222-8222-222222222222";

beforeAll(async () => {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "id", state: {} }) });
  pulumi.runtime.setAllConfig({ "clouddb:organizationId": STACK });
});

const organizationOf = (organizationId: pulumi.Input<string> | undefined) => {
  const { configuration } = new Provider("account", { organizationId } as never);
  return new Promise((resolve) => configuration.apply((settings) => resolve(settings["clouddb:organizationId"])));
};

test("an argument takes precedence over the stack's configuration", async () => {
  expect(await organizationOf(OTHER)).toBe(OTHER);
  expect(await organizationOf(pulumi.output(OTHER))).toBe(OTHER);
});

test.each<[string, pulumi.Input<string> | undefined]>([
  ["an omitted argument", undefined],
  ["an empty text", ""],
  ["an empty text that is an Output", pulumi.output("")],
  ["an empty text that is a Promise", Promise.resolve("")],
])("%s is no value: the stack's configuration counts", async (_, argument) => {
  expect(await organizationOf(argument)).toBe(STACK);
});
