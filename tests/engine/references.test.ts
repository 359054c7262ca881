import { constants, generateKeyPairSync, privateDecrypt } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Properties } from "../support/adapters/handlers";
import { EXAMPLE, exampleSeed } from "../support/example";
import { textOf } from "../support/temporary-folder";
import { canariesIn, canary } from "./support/canaries";
import { expectFailure, expectOk, newStack, outcomeOf, simulated } from "./support/stack";

/* A canary in each variable, searched for wherever a command may leave something behind. */

const { service: SERVICE, pipes } = EXAMPLE;

const KEY = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** The password of the service that has a key, from the exported state. */
function passwordIn(exported: string): string {
  const { resources } = JSON.parse(exported).deployment as {
    resources: { urn: string; outputs: Properties }[];
  };
  const outputs = resources.find(({ urn }) => urn.endsWith("::sealed"))?.outputs ?? {};
  expect(outputs.password).toMatchObject({ plaintext: "null" });
  const padding = {
    key: KEY.privateKey,
    padding: constants.RSA_PKCS1_OAEP_PADDING,
    oaepHash: "sha256",
  };
  return privateDecrypt(
    padding,
    Buffer.from(String(outputs.encryptedPassword), "base64"),
  ).toString();
}

/** The twins, in each way in which programs pass arguments. */
const PROGRAM = `
  new clouddb.Service("db", { encryptionKeyFromEnvironment: "KEK" }, { retainOnDelete: true });
  new clouddb.Service("sealed", { passwordPublicKey: ${JSON.stringify(KEY.publicKey)} }, { retainOnDelete: true });
  const pipe = (name, pipeId, source) => new clouddb.Pipe(name, { serviceId: "${SERVICE}", pipeId, source });
  const credentials = { username: "u", passwordFromEnvironment: "KAFKA" };
  pipe("kafka", "${pipes.kafka}", { kafka: { credentials } });
  pipe("postgres", "${pipes.postgres}", pulumi.output({ postgres: { credentials: { ...credentials, passwordFromEnvironment: "POSTGRES" } } }));
  const accessKey = { accessKeyId: "id", secretKeyFromEnvironment: "AWS" };
  pipe("files", "${pipes.objectStorage}", { objectStorage: { connectionStringFromEnvironment: "AZURE", accessKey: pulumi.secret(accessKey) } });
  pipe("kinesis", "${pipes.kinesis}", Promise.resolve({ kinesis: { accessKey } }));
`;
const VARIABLES = ["KEK", "KAFKA", "POSTGRES", "AZURE", "AWS"];
const values = (round: string) =>
  Object.fromEntries(VARIABLES.map((name) => [name, canary(`${round}-${name}`)]));

test("the value of a referenced variable appears only in requests", async () => {
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(api);
  const temporary = join(stack.folder, "temporary");
  mkdirSync(temporary);
  stack.environment({ PULUMI_DEBUG_COMMANDS: "true", TMPDIR: temporary });
  stack.program(PROGRAM);
  const places: Record<string, string> = {};
  /**
   * Runs a command with everything that can log: also the engine's own log, and its messages to
   * plugins.
   */
  async function run(name: string, round: string, expectation: typeof expectOk, ...args: string[]) {
    const [events, grpc] = [
      join(stack.folder, `${name}.events`),
      join(stack.folder, `${name}.grpc`),
    ];
    stack.environment({ ...values(round), PULUMI_DEBUG_GRPC: grpc });
    places[name] = await expectation(
      outcomeOf(stack.pulumi(...args, "--debug", "--event-log", events, "-v=9", "--logtostderr")),
    );
    for (const file of [events, grpc]) places[file] = readFileSync(file, "utf8");
  }
  const [plan, other] = ["plan", "other"].map((name) => join(stack.folder, name)) as [
    string,
    string,
  ];

  await run("up", "first", expectOk, "up", "--yes", "--skip-preview", "--diff");
  await run("preview", "second", expectOk, "preview", "--diff", "--save-plan", plan);
  await run(
    "a planned update",
    "second",
    expectOk,
    "up",
    "--yes",
    "--skip-preview",
    "--plan",
    plan,
  );
  await run("refresh", "second", expectOk, "refresh", "--yes", "--skip-preview", "--diff");
  await run("another preview", "third", expectOk, "preview", "--save-plan", other);
  await run(
    "a violated plan",
    "fourth",
    expectFailure,
    "up",
    "--yes",
    "--skip-preview",
    "--plan",
    other,
  );
  places.exported = await stack.pulumi("stack", "export", "--show-secrets");
  for (const name of ["home", "state", "temporary"])
    places[name] = textOf(join(stack.folder, name));
  for (const file of [plan, other]) places[file] = readFileSync(file, "utf8");

  expect(
    Object.entries(places).flatMap(([place, text]) =>
      canariesIn(text).map((found) => `${found} in ${place}`),
    ),
  ).toEqual([]);
  const password = passwordIn(places.exported);
  expect(password.length).toBeGreaterThan(8);
  expect(Object.keys(places).filter((place) => places[place]?.includes(password))).toEqual([]);
  expect(places.preview).toContain("source.kafka.credentials.password: [secret] => [secret]");
  // A service's key is never sent again.
  expect(places.preview).not.toContain("encryptionKey: [secret] => [secret]");
  expect(places["a violated plan"]).toMatch(
    /violates plan: properties changed: .*secretFingerprints/,
  );
  expect(places.exported).toContain("$scrypt$ln=");
});
