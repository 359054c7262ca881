import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder";
import { useServices } from "./service-setup";
import { failureOf, type Properties } from "./support";

/** A creation that the engine repeats within one command, as a resource hook (`onError`) makes it do. */

const setup = useServices();
const ENDPOINT = "vpce-0a1b2c3d4e5f60001";
const places: Readonly<Record<string, () => Record<string, string>>> = {
  "with a journal": () => ({ CLOUDDB_JOURNAL: temporaryFolder("journal") }),
  "without a journal": () => ({ CLOUDDB_JOURNAL: "off", PULUMI_BACKEND_URL: "" }),
  "where the default place cannot be written": () => {
    const home = join(temporaryFolder("home"), "file");
    writeFileSync(home, "a file, not a folder");
    return { CLOUDDB_JOURNAL: "", PULUMI_HOME: home };
  },
};

/** The engine checks once, and repeats the creation alone. */
const checked = (args: Properties = {}) => setup.checkArgs({ name: "orders", numReplicas: 3, ...args });
const bodies = async () => (await setup.api.requests()).map(({ request }) => request);

describe.each(Object.entries(places))("%s", (place, environment) => {
  beforeEach(() => setup.restartWith(environment()));

  test("a creation that succeeded in part is completed", async () => {
    await setup.api.faults({ method: "PATCH", times: 1, effect: { kind: "status", status: 403 } });
    const inputs = await checked({ privateEndpointIds: [ENDPOINT] });
    const failure = await failureOf(setup.handlers.create(inputs));
    await setup.api.requests();
    const { id, outs } = await setup.handlers.create(inputs);
    expect(id).toBe(failure.id);
    expect(outs).toMatchObject({ password: failure.properties?.password, privateEndpointIds: [ENDPOINT] });
    expect(await bodies()).toEqual(["GET /services/{id}", "PATCH /services/{id}"]);
    expect(await setup.api.services()).toHaveLength(1);
  });

  test("a creation without a response is refused", async () => {
    await setup.api.faults({ method: "POST", times: 1, effect: { kind: "reset", when: "after" } });
    const inputs = await checked();
    await failureOf(setup.handlers.create(inputs));
    const { message } = await failureOf(setup.handlers.create(inputs));
    const actor = place === "with a journal" ? "an earlier command" : "this command";
    expect(message).toContain(`${actor} requested it at `);
    expect(message.includes("creations discard")).toBe(place === "with a journal");
    expect(await setup.api.services()).toHaveLength(1);
  });

  test("a creation that the API refused is sent again", async () => {
    await setup.api.faults({ method: "POST", times: 1, effect: { kind: "status", status: 403 } });
    const inputs = await checked();
    await failureOf(setup.handlers.create(inputs));
    await setup.handlers.create(inputs);
    expect(await setup.api.services()).toHaveLength(1);
  });
});

test("the next command without a journal remembers nothing", async () => {
  const folder = temporaryFolder("home");
  setup.restartWith({ CLOUDDB_JOURNAL: "off", PULUMI_HOME: folder });
  await setup.handlers.create(await checked());
  setup.restartWith({ CLOUDDB_JOURNAL: "off", PULUMI_HOME: folder });
  await setup.handlers.create(await checked());
  expect(await setup.api.services()).toHaveLength(2);
  expect(readdirSync(folder)).toEqual([]);
});
