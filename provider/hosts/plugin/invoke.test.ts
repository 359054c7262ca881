import type { Client, Operation } from "../../api";
import type { Session } from "../../core/session";
import { type Message, render } from "../../errors";
import { asSecret, type Properties } from "../../fields";
import { createInvoke } from "./invoke";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const OTHER = "a1b2c3d4-0002-4a53-9c1e-000000000002";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";

/** A session with an API that gives one answer, or fails. */
function session(answer: unknown, organizationId: string | undefined = ORGANIZATION) {
  const calls: [api: string, path: string, parameters: unknown][] = [];
  const messages: string[] = [];
  const clientFor = (api: string) => ({
    async call({ path }: Operation, parameters: unknown) {
      calls.push([api, path, parameters]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const secrets: string[] = [];
  const dependencies = {
    addSecret: (secret: string) => secrets.push(secret),
    settings: () => ({
      settings: { ...(organizationId && { organizationId }) },
      fromEnvironment: new Set(),
      problems: [],
      refused: new Set(),
    }),
    log: (line: Message) => messages.push(render(line)),
  };
  const invoke = createInvoke({ clientFor: clientFor as unknown as () => Client, dependencies } as unknown as Session);
  const call = (name: string, args: Properties, ...secrets: string[]) => invoke(`clouddb:index:${name}`, args, secrets);
  return { calls, messages, secrets, invoke, call };
}

describe("arguments", () => {
  test("become the parameters of one request", async () => {
    const { call, calls } = session({ id: ID });
    await call("getService", { serviceId: ID.toUpperCase() });
    await call("getPipe", { organizationId: OTHER, serviceId: ID, pipeId: OTHER });
    await call("getAlert", { id: "Alert" });
    expect(calls).toEqual([
      [
        "management",
        expect.stringMatching(/services\/\{serviceId\}$/),
        { organizationId: ORGANIZATION, serviceId: ID },
      ],
      ["management", expect.stringMatching(/\{pipeId\}$/), { organizationId: OTHER, serviceId: ID, pipeId: OTHER }],
      ["observability", "/api/v2/alerts/{id}", { id: "Alert" }],
    ]);
  });

  test.each<[string, Properties, string]>([
    ["getService", {}, "getService requires serviceId. [CDB1002]"],
    ["getService", { serviceId: "" }, "The argument serviceId of getService must be a non-empty string. [CDB1012]"],
    ["getService", { serviceId: null }, "getService requires serviceId. [CDB1002]"],
    [
      "getPipe",
      { serviceId: ID, pipeId: [ID] },
      "The argument pipeId of getPipe must be a non-empty string. [CDB1012]",
    ],
    ["getAlert", { id: 5 }, "The argument id of getAlert must be a non-empty string. [CDB1012]"],
    ["getAlert", { id: "a", b: 1, c: 2 }, "getAlert has no argument b, c; remove it. [CDB1001]"],
    ["getDashboards", { toString: "x" }, "getDashboards has no argument toString; remove it. [CDB1001]"],
  ])("of %s that are %j are refused without a request", async (name, args, sentence) => {
    const { call, calls } = session({});
    await expect(call(name, args)).rejects.toThrow(sentence);
    expect(calls).toEqual([]);
  });

  test("name the setting that could stand in, where there is one, with all that are missing", async () => {
    const { call } = session({}, "");
    await expect(call("getService", { serviceId: ID })).rejects.toThrow(
      /^organizationId is missing: pass it, or set clouddb:organizationId \(CLOUDDB_ORGANIZATION_ID\)\. clouddb:baseUrl .*clouddb:keyId .*clouddb:keySecret .*\[CDB1002\]$/,
    );
  });
});

test.each([
  "clouddb:index:getTable",
  "clouddb:index:toString",
  "clouddb:other:getService",
  "getService",
  "other:index:getService",
])("%s is no function", async (token) => {
  const { invoke, calls } = session({});
  await expect(invoke(token, { serviceId: ID }, [])).rejects.toThrow(`Unknown function ${token}.`);
  expect(calls).toEqual([]);
});

test("secrets are marked at any depth, also in lists, and nothing else is", async () => {
  const response = { connectionString: "c", url: "u" };
  const { call } = session({
    id: ID,
    source: { objectStorage: response },
    more: [{ connectionString: ["d"] }, "e", null],
  });
  expect(await call("getPipe", { serviceId: ID, pipeId: ID })).toEqual({
    id: ID,
    source: { objectStorage: { connectionString: asSecret("c"), url: "u" } },
    more: [{ connectionString: asSecret(["d"]) }, "e", null],
  });
  const service = session({ id: ID, encryptionKey: "k", connectionString: "c" });
  expect(await service.call("getService", { serviceId: ID })).toEqual({
    id: ID,
    encryptionKey: asSecret("k"),
    connectionString: "c",
  });
});

test("a result has the form that programs receive", async () => {
  const { call } = session([{ id: "1", name: "one" }]);
  expect(await call("getDashboards", {})).toEqual({ dashboards: [{ id: "1", name: "one" }] });
});

test("what an answer has of an undocumented type is told", async () => {
  const { call, messages } = session({ id: ID, name: Symbol("invalid") });
  await call("getService", { serviceId: ID });
  expect(messages).toEqual([
    `The API's response for service ${ID} has a value of an undocumented type in name; it was ignored. [CDB3011]`,
  ]);
});

test("an error names the ids, but for those that are secrets", async () => {
  const failing = session(new Error(`no ${ID} in ${OTHER} of ${ORGANIZATION}`));
  const args = { serviceId: ID, pipeId: OTHER.toUpperCase() };
  const messageOf = (...secrets: string[]) =>
    failing.call("getPipe", args, ...secrets).catch(({ name, message }: Error) => `${name} ${message}`);
  expect(await messageOf()).toMatch(
    `UserError Reading pipe ${OTHER}: unexpected error: Error: no ${ID} in ${OTHER} of`,
  );
  expect(await messageOf("pipeId")).toMatch(`Reading pipe [secret]: unexpected error: Error: no ${ID} in [secret] of`);
  // For the log of requests.
  expect(failing.secrets).toContain(OTHER);
  expect(failing.secrets).not.toContain(ID);
  expect(await messageOf("serviceId", "other")).toMatch(
    `Reading pipe ${OTHER}: unexpected error: Error: no [secret] in`,
  );
});
