import type { Session } from "../../core/session/session";
import { type Message, render } from "../../errors";
import { asSecret, type Properties } from "../../fields";
import { invoke } from "./invoke";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const OTHER = "a1b2c3d4-0002-4a53-9c1e-000000000002";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";

/** A session with an API that returns one response, or fails. */
function session(response: unknown) {
  const calls: [api: string, path: string, parameters: unknown][] = [];
  const messages: string[] = [];
  const known: string[] = [];
  const clientFor = (api: string) => ({
    async call({ path }: { readonly path: string }, parameters: unknown) {
      calls.push([api, path.replace(/.*\//, ""), parameters]);
      if (response instanceof Error) throw response;
      return response;
    },
  });
  const dependencies = {
    addSecret: (secret: string) => known.push(secret),
    settings: () => ({ settings: { organizationId: ORGANIZATION } }),
    warn: (line: Message) => messages.push(render(line)),
  };
  const call = (name: string, args: Properties, ...secrets: string[]) =>
    invoke(
      { clientFor, dependencies } as unknown as Session,
      `clouddb:index:${name}`,
      args,
      secrets,
    );
  return { calls, messages, known, call };
}

test.each<[string, Properties, string]>([
  ["getService", {}, "getService requires serviceId. [CDB1002]"],
  [
    "getService",
    { serviceId: "" },
    "The argument serviceId of getService must be a non-empty string. [CDB1012]",
  ],
  ["getService", { serviceId: null }, "getService requires serviceId. [CDB1002]"],
  [
    "getPipe",
    { serviceId: ID, pipeId: [ID] },
    "The argument pipeId of getPipe must be a non-empty string. [CDB1012]",
  ],
  ["getAlert", { id: 5 }, "The argument id of getAlert must be a non-empty string. [CDB1012]"],
  [
    "getAlert",
    { id: "a", b: 1, c: 2 },
    "getAlert has no argument b; remove it. getAlert has no argument c; remove it. [CDB1001]",
  ],
  [
    "getService",
    { serviceID: ID },
    "getService has no argument serviceID: did you mean serviceId? [CDB1001]",
  ],
  [
    "getDashboards",
    { toString: "x" },
    "getDashboards has no argument toString; remove it. [CDB1001]",
  ],
  ["getTable", {}, "Unknown function clouddb:index:getTable. [CDB9002]"],
  ["toString", {}, "Unknown function clouddb:index:toString. [CDB9002]"],
])("the function %s with %j is refused without a request", async (name, args, sentence) => {
  const { call, calls } = session({});
  await expect(call(name, args)).rejects.toThrow(sentence);
  expect(calls).toEqual([]);
});

test.each(["clouddb:other:getService", "getService", "other:index:getService"])(
  "the token %s is not a function",
  async (token) => {
    const refused = invoke({} as Session, token, { serviceId: ID }, []);
    await expect(refused).rejects.toThrow(`Unknown function ${token}.`);
  },
);

const more = [{ connectionString: ["d"] }, "e", null];
test.each<[string, string, unknown, Properties]>([
  [
    "secrets are marked at any depth, also in lists",
    "getPipe",
    { id: ID, source: { objectStorage: { connectionString: "c", url: "u" } }, more },
    {
      id: ID,
      source: { objectStorage: { connectionString: asSecret("c"), url: "u" } },
      more: [{ connectionString: asSecret(["d"]) }, "e", null],
    },
  ],
  [
    "each function has its own secrets",
    "getService",
    { id: ID, encryptionKey: "k", connectionString: "c" },
    { id: ID, encryptionKey: asSecret("k"), connectionString: "c" },
  ],
  [
    "a list is a member",
    "getDashboards",
    [{ id: "1", name: "one" }],
    { dashboards: [{ id: "1", name: "one" }] },
  ],
])("a result has the form that programs receive: %s", async (_, name, response, expected) => {
  const args =
    { getPipe: { serviceId: ID, pipeId: ID }, getService: { serviceId: ID } }[name] ?? {};
  expect(await session(response).call(name, args)).toEqual(expected);
});

test("a value of an undocumented type is reported", async () => {
  const { call, messages } = session({ id: ID, name: Symbol("invalid") });
  await call("getService", { serviceId: ID });
  expect(messages).toEqual([
    `The API's response for service ${ID} has a value of an undocumented type in name; it was ignored. [CDB3011]`,
  ]);
});

test.each<[string[], RegExp, string[]]>([
  [[], new RegExp(`^Reading pipe ${OTHER}: unexpected error: Error: no ${ID} in ${OTHER} of`), []],
  [
    ["pipeId"],
    new RegExp(`^Reading pipe \\[secret\\]: unexpected error: Error: no ${ID} in \\[secret\\] of`),
    [OTHER],
  ],
  [
    ["serviceId", "x"],
    new RegExp(`^Reading pipe ${OTHER}: unexpected error: Error: no \\[secret\\] in`),
    [ID],
  ],
])("an error redacts only the ids that are marked: %j", async (secrets, message, expected) => {
  const { call, known } = session(new Error(`no ${ID} in ${OTHER} of ${ORGANIZATION}`));
  const failing = call("getPipe", { serviceId: ID, pipeId: OTHER.toUpperCase() }, ...secrets);
  await expect(failing).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringMatching(message),
  });
  // For the log of requests.
  expect(known.filter((secret) => [ID, OTHER].includes(secret))).toEqual(
    expect.arrayContaining(expected),
  );
  expect(known.includes(ID) && known.includes(OTHER)).toBe(false);
});
