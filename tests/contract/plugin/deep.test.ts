import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { startPlugin } from "../../../provider/hosts/plugin/server";
import { type Failure, fakeClock } from "../support";

/** Requests as bytes, since no encoder of ours could nest values as deeply. */

const dependencies = {
  environment: {},
  clock: fakeClock(),
  random: () => 1,
  isEngineAlive: async () => true,
};
let plugin: Awaited<ReturnType<typeof startPlugin>>;
let client: grpc.Client;
beforeAll(async () => {
  plugin = await startPlugin(dependencies, undefined);
  client = new grpc.Client(`127.0.0.1:${plugin.port}`, grpc.credentials.createInsecure());
});
afterAll(() => {
  client.close();
  plugin.close();
});

const send = (
  { path, responseDeserialize }: grpc.MethodDefinition<never, unknown>,
  bytes: Buffer,
) =>
  new Promise((resolve, reject) => {
    const done = (error: Failure | null, response: unknown) =>
      error ? reject(error) : resolve(response);
    client.makeUnaryRequest(path, () => bytes, responseDeserialize, undefined, done);
  }).catch(({ details }: grpc.ServiceError) => details);

/** A member of a protobuf message that has a length: its number, and its bytes. */
function member(number: number, bytes: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
  }
}

const object = (name: string, value: Buffer) =>
  member(1, Buffer.concat([member(1, Buffer.from(name)), member(2, value)]));

/** `{ipAccessList: [{in: [{in: …}]}]}` */
function deepValue(levels: number): Buffer {
  let value = member(3, Buffer.from("x"));
  for (let level = levels; level > 0; level -= 1)
    value = level % 2 ? member(6, member(1, value)) : member(5, object("in", value));
  return object("ipAccessList", value);
}

const urn = Buffer.from("urn:pulumi:dev::test::clouddb:index:Service::db");

describe.each([
  ["check", 1, 3],
  ["diff", 2, 4],
  ["create", 1, 2],
  ["update", 2, 4],
] as const)("a %s", (method, urnNumber, newsNumber) => {
  const definition = ResourceProviderService[method] as unknown as grpc.MethodDefinition<
    never,
    unknown
  >;

  const sendValue = (levels: number) =>
    send(
      definition,
      Buffer.concat([member(urnNumber, urn), member(newsNumber, deepValue(levels))]),
    );

  const tooDeep = (name: string) =>
    `${name} must not be nested more than 100 levels deep: pass the value that the reference documents. [CDB1012]`;
  test.each<[string, () => Promise<unknown>, string]>([
    [
      "whose value is nested more than 100 levels deep",
      () => sendValue(101),
      tooDeep("ipAccessList"),
    ],
    ["that is nested too deep to be read", () => sendValue(6000), tooDeep("An argument")],
    [
      "that is no message",
      () => send(definition, Buffer.from([0x0a, 0x7f])),
      "Error deserializing request",
    ],
  ])("a request %s fails, and the plugin continues", async (_, sendIt, sentence) => {
    expect(await sendIt()).toBe(sentence);
    expect(await sendValue(101)).toContain("[CDB1012]");
  });
});
