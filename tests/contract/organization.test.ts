import { organization as organizationType } from "../../provider/resources/organization/organization";
import { freePort } from "../support/free-port";
import { runPrograms, useSeededSimulator } from "./seeded";
import { checkInputs, createHandlers, failureOf } from "./support";

/** The real handlers of an Organization against the seeded simulator. */

const seeded = useSeededSimulator();

describe("Organization", () => {
  const organization = () => createHandlers(organizationType, seeded.simulator);
  const PATCH = "PATCH ";
  const ours = { id: "vpce-ours", description: "ours" };

  test("an Organization adds declared entries, removes only formerly declared ones, and leaves others unchanged", async () => {
    const foreign = (await seeded.api.change("PATCH", "", {}, seeded.api.organization)).privateEndpoints as unknown[];
    const { requests, outs } = await runPrograms(
      seeded.api,
      organization(),
      { name: "Example organization", privateEndpoints: [ours] },
      { name: "Example organization", privateEndpoints: [ours] },
      { name: "Renamed", privateEndpoints: [ours] },
      { name: "Renamed", privateEndpoints: [{ ...ours, description: "still ours" }] },
      { name: "Renamed", privateEndpoints: [] },
    );
    expect(requests).toEqual([
      [[PATCH, { name: "Example organization", privateEndpoints: { add: [ours] } }]],
      [],
      [[PATCH, { name: "Renamed" }]],
      [[PATCH, { privateEndpoints: { add: [{ ...ours, description: "still ours" }], remove: [ours] } }]],
      [[PATCH, { privateEndpoints: { remove: [{ ...ours, description: "still ours" }] } }]],
    ]);
    expect(outs.allPrivateEndpoints).toEqual(foreign);
    expect(outs).toMatchObject({ byocConfig: [{ id: "byoc-eu-1", accountName: "example-eu" }] });
  });

  test("an Organization restores an entry that the response to an update shows as removed by others", async () => {
    const handlers = organization();
    const { id, outs } = await runPrograms(seeded.api, handlers, { privateEndpoints: [ours] });
    await seeded.api.change("PATCH", "", { privateEndpoints: { remove: [ours] } }, seeded.api.organization);
    await handlers.update(id, outs, await checkInputs(handlers, { name: "Renamed", privateEndpoints: [ours] }));
    expect((await seeded.api.requests()).map(({ body }) => body)).toEqual([
      { name: "Renamed" },
      { privateEndpoints: { add: [ours] } },
    ]);
  });

  test("an Organization restores its name if the response to an update shows another one", async () => {
    const handlers = organization();
    const { id, outs } = await runPrograms(seeded.api, handlers, { name: "Ours", privateEndpoints: [] });
    await seeded.api.change("PATCH", "", { name: "Theirs" }, seeded.api.organization);
    const { outs: after } = await handlers.update(
      id,
      outs,
      await checkInputs(handlers, { name: "Ours", privateEndpoints: [ours] }),
    );
    expect((await seeded.api.requests()).map(({ body }) => body)).toEqual([
      { privateEndpoints: { add: [ours] } },
      { name: "Ours" },
    ]);
    expect(after?.name).toBe("Ours");
  });

  test("an Organization sends no request on read or release", async () => {
    const handlers = organization();
    const { id, outs } = await runPrograms(seeded.api, handlers, { name: "Renamed" });
    expect((await handlers.read(id, outs)).inputs).toEqual({
      name: "Renamed",
      organizationId: seeded.simulator.organizationId,
    });
    await handlers.delete(id, outs);
    expect(await seeded.api.requests()).toEqual([]);
    expect(handlers.messages).toEqual([expect.stringContaining("keeps its current settings")]);
  });

  test("an Organization is not in the stack if its first request certainly changed nothing", async () => {
    const handlers = createHandlers(organizationType, seeded.simulator);
    const inputs = await checkInputs(handlers, { name: "Renamed" });
    const unreachable = { ...seeded.simulator, baseUrl: `http://127.0.0.1:${await freePort()}` };
    const failure = await failureOf(createHandlers(organizationType, unreachable).create(inputs));
    expect(failure.id).toBeUndefined();
    expect(failure.message).toMatch(
      /^Updating organization \S+: .*ECONNREFUSED.*\. Not done: name\. Check clouddb:baseUrl .*run the same command again\. \[CDB3001\]$/,
    );
  });

  test("an Organization requires at least one argument to manage", async () => {
    const { failures } = await organization().check({}, {});
    expect(failures).toEqual([
      { property: "", reason: "name and privateEndpoints are missing: declare at least one of them. [CDB1002]" },
    ]);
  });
});
