import { render } from "../errors";
import { DECLARED, type Properties } from "../fields";
import { SECRETS } from "../names";
import { pipe } from "../resources/pipe/pipe";
import { service } from "../resources/service/service";
import { serviceScaling } from "../resources/service-scaling/service-scaling";
import { create, read, release, update } from "./lifecycle";
import { check } from "./plan";
import type { Context } from "./resource";
import { createSession } from "./session";

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const [ID, OTHER] = [1, 2].map((digit) => `a1b2c3d4-000${digit}-4a53-9c1e-000000000001`) as [string, string];

/** One run of a program against an API with one response, with the lines that the user sees. */
function run(respond: () => Properties) {
  const output: string[] = [];
  const { contextFor, redacted } = createSession({
    environment: {
      CLOUDDB_BASE_URL: "http://127.0.0.1:1",
      CLOUDDB_KEY_ID: "key",
      CLOUDDB_KEY_SECRET: "key secret",
      CLOUDDB_ORGANIZATION_ID: ORGANIZATION,
      CLOUDDB_JOURNAL: "off",
    },
    clock: { now: () => 0, sleep: async () => {} },
    random: () => 1,
    log: (line) => output.push(`info: ${render(line)}`),
    warn: (line) => output.push(`warning: ${render(line)}`),
  });
  const call = async () => respond() as never;
  const context = (name: string): Context => ({
    ...contextFor(`urn:pulumi:dev::test::clouddb:index:Any::${name}`),
    client: () => ({ call, callUnlessDone: call }),
  });
  return { output, redacted, context };
}

const failing = (text: string) => () => {
  throw new Error(text);
};

describe("a creation", () => {
  const inputs = { organizationId: ORGANIZATION, name: "db", numReplicas: 3 };
  const created = (id: string) => () => ({ service: { id, name: "db", numReplicas: 3 }, password: "p" });
  const conflict = (id: string) =>
    `warning: "one" and "two" both manage numReplicas of ${id}, and each would undo the other's changes: keep only one of them. [CDB4009]`;
  const scaling = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3 };

  test("warns of a second owner once the service has an id", async () => {
    const { context, output } = run(created(ID));
    expect(check(serviceScaling, context("one"), "one", {}, scaling).reasons).toEqual([]);
    check(service, context("two"), "two", {}, inputs);
    expect(await create(service, context("two"), inputs)).toMatchObject({
      id: ID,
      state: { name: "db", password: "p" },
    });
    expect(output).toEqual([conflict(ID)]);
  });

  test("claims the new service", async () => {
    const { context, output } = run(created(OTHER));
    check(service, context("one"), "one", {}, inputs);
    await create(service, context("one"), inputs);
    expect(output).toEqual([]);
    const second = check(serviceScaling, context("two"), "two", {}, { ...scaling, serviceId: OTHER });
    expect(second.reasons).toHaveLength(1);
  });

  test("shows no marked id in the warning about a second owner", async () => {
    const { context, output } = run(created(ID));
    check(serviceScaling, context("one"), "one", {}, { ...scaling, [SECRETS]: ["serviceId"] });
    check(service, context("two"), "two", {}, inputs);
    await create(service, context("two"), inputs);
    expect(output).toEqual([conflict("[secret]")]);
  });
});

describe("an error shows no secret of the arguments or the state", () => {
  const text = "unexpected error: Error: the keys [secret] and [secret]";
  const state = { organizationId: ORGANIZATION, encryptionKey: "old-secret", [DECLARED]: [] };
  const inputs = { organizationId: ORGANIZATION, encryptionKey: "new-secret", name: "db-name" };

  test("of a creation", async () => {
    const { context, redacted } = run(failing("the keys new-secret and db-name"));
    const marked = { ...inputs, [SECRETS]: ["name"] };
    const failure = redacted(await create(service, context("db"), marked).catch((error: unknown) => error));
    expect(failure.message).toContain(text);
  });

  test("of an update", async () => {
    const { context, redacted } = run(failing("the keys old-secret and new-secret"));
    const failure = await update(service, context("db"), ID, state, inputs).catch((error: unknown) => error);
    expect(redacted(failure).message).toContain(text);
  });

  test("of a read", async () => {
    const { context, redacted } = run(failing("the keys old-secret and old-secret"));
    const failure = await read(service, context("db"), ID, state).catch((error: unknown) => error);
    expect(redacted(failure).message).toContain(text);
  });

  test("of a release", async () => {
    const { context, redacted } = run(() => ({}));
    const failure = await release(service, context("db"), ID, { ...state, name: "old-secret" }).catch(
      (error: unknown) => error,
    );
    expect(redacted(failure).message).toMatch(/^Deleting service \S+ \("\[secret\]"\)/);
  });
});

test("a read of a managed object returns the arguments that a program would declare", async () => {
  const { context } = run(() => ({ id: OTHER, name: "found" }));
  const stored = { organizationId: ORGANIZATION, serviceId: ID, name: "old", [DECLARED]: ["name"] };
  expect(await read(pipe, context("p"), OTHER, stored)).toMatchObject({
    state: { ...stored, name: "found" },
    inputs: { name: "found" },
  });
});
