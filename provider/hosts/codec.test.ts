import { asSecret, DECLARED, type Properties, Reference } from "../fields";
import { FINGERPRINTS, SECRETS } from "../names";
import { pipe } from "../resources/pipe/pipe";
import { service } from "../resources/service/service";
import { createCodec } from "./codec";

const PRINT = "$scrypt$ln=14,r=8,p=1$salt$hash";
const added: Properties[] = [];
const codec = (acceptsSecrets: boolean, resource = pipe) =>
  createCodec({ addSecretsOf: (_, ...properties) => void added.push(...properties) }, resource, {
    acceptsSecrets,
    stateMembers: { __urn: "urn" },
  });
const credentials = { username: "reader", password: "hush" };
const markedCredentials = { username: asSecret("reader"), password: asSecret("hush") };
const kafka = (members: object) => ({ source: { kafka: members } });

beforeEach(() => added.splice(0));

describe("checked inputs", () => {
  const checked = (acceptsSecrets: boolean, inputs: Properties, marked: string[] = []) => {
    const { encodeChecked, decodeCheck } = codec(acceptsSecrets);
    const request = decodeCheck("orders", { properties: inputs, marked }, {});
    return encodeChecked({ inputs, reasons: [] }, request);
  };

  test.each([true, false])(
    "a check marks a secret that the program has not marked; engine accepts secrets: %s",
    (acceptsSecrets) => {
      expect(checked(acceptsSecrets, kafka({ credentials, iamRole: "role" }))).toEqual(
        kafka({ credentials: markedCredentials, iamRole: "role" }),
      );
    },
  );

  test("a check marks a fingerprint, but not the name of a variable", () => {
    const reference = { username: "reader", passwordFromEnvironment: "PASSWORD" };
    const prints = { "source.kafka.credentials.password": PRINT };
    const inputs = { ...kafka({ credentials: reference }), [FINGERPRINTS]: prints };
    expect(checked(false, inputs)).toEqual({
      ...kafka({ credentials: { ...reference, username: asSecret("reader") } }),
      [FINGERPRINTS]: { "source.kafka.credentials.password": asSecret(PRINT) },
    });
  });

  test.each([
    ["source", { source: asSecret({ kafka: { credentials } }) }],
    ["source.kafka", { source: { kafka: asSecret({ credentials }) } }],
    ["source.kafka.credentials", kafka({ credentials: asSecret(credentials) })],
    ["source.kafka.credentials.username", kafka({ credentials: markedCredentials })],
  ])("a check marks a secret once if the program marks %s", (place, expected) => {
    expect(checked(false, kafka({ credentials }), [place])).toEqual(expected);
  });

  test("a check marks other arguments like the program, by name if the engine passes no marks", () => {
    const inputs = { ...kafka({ iamRole: "role" }), [SECRETS]: ["source.kafka.iamRole"] };
    expect(checked(true, inputs)).toEqual(kafka({ iamRole: asSecret("role") }));
    expect(checked(false, inputs)).toEqual(inputs);
  });
});

test("a resource whose old inputs are all internal is new", () => {
  const decoded = (old: Properties) =>
    codec(false).decodeCheck("orders", { properties: { name: "a" } }, old).oldInputs;
  const internal = { __provider: "x", __resourceName: "y", [SECRETS]: ["name"] };
  expect(decoded(internal)).toBeUndefined();
  expect(decoded({ ...internal, name: "b" })).toEqual({ name: "b" });
});

test("decoded inputs have references and marked names, and their secrets are registered", () => {
  const properties = {
    __urn: "urn",
    name: "orders",
    ...kafka({ credentials: { username: "reader", passwordFromEnvironment: "PASSWORD" } }),
  };
  const inputs = codec(true).decodeInputs({ properties, marked: ["name"] });
  expect(inputs).toEqual({
    name: "orders",
    ...kafka({ credentials: { username: "reader", password: expect.any(Reference) } }),
    [SECRETS]: ["name"],
  });
  expect(added).toContainEqual(inputs);
});

describe("a state", () => {
  const state = { name: "db", password: "p", encryptionKey: "k", [DECLARED]: [] };

  test.each([
    [true, { password: asSecret("p"), encryptionKey: asSecret("k") }],
    // The engine marks arguments like the inputs.
    [false, { password: asSecret("p"), encryptionKey: "k" }],
  ])("a state has marked secrets; engine accepts secrets: %s", (acceptsSecrets, secrets) => {
    const { encodeState, decodeObject } = codec(acceptsSecrets, service);
    expect(encodeState(state)).toMatchObject({ name: "db", ...secrets, __urn: "urn" });
    expect(decodeObject("id", { ...state, __urn: "urn" })).toEqual({ id: "id", state });
  });

  test.each([true, false])(
    "a state marks a secret that is no longer declared; engine accepts secrets: %s",
    (acceptsSecrets) => {
      const { encodeState } = codec(acceptsSecrets, service);
      const marked = { encryptionKey: asSecret("k") };
      expect(encodeState(state, { name: "db" })).toMatchObject(marked);
    },
  );
});
