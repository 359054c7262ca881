import { readdirSync } from "node:fs";
import { injectNetworkFault } from "../support/network";
import { temporaryFolder } from "../support/temporary-folder";
import {
  build,
  ENDPOINT,
  GET,
  jobs,
  named,
  office,
  SERVICE,
  spare,
  useAccess,
  withEndpoint,
  withList,
} from "./access-setup";
import { answer, failureOf, loseRequest, once, type Properties, StackResource } from "./support";

/** Entries of a ServiceAccess after crashes, old reads and imports. Each command is a process. */

const seeded = useAccess();
const { command, access, listOnServer, bodies, change } = seeded;
afterEach(() => injectNetworkFault(undefined));

describe("after a crash", () => {
  test.each(["crashes before", "crashes after"] as const)(
    "the stack owns the entries that a process was adding when it %s the request",
    async (kind) => {
      const crash = new Promise<void>((onCrash) =>
        injectNetworkFault({ kind, method: "PATCH", times: 1, onCrash }),
      );
      void command().create("access", withList(jobs, spare));
      await crash;
      injectNetworkFault(undefined);
      const stored = await command().create("access", withList(jobs, spare));
      expect(stored.outs).toMatchObject({ sharedSources: [] });
      await stored.in(access()).delete();
      expect(await listOnServer()).toEqual([office, build]);
    },
  );

  test("a declared entry is recognized on another machine and with another key, without a journal", async () => {
    const folder = temporaryFolder("journal");
    const stored = await command({ CLOUDDB_JOURNAL: folder }).create("access", withList(jobs));
    await stored.in(command({ CLOUDDB_JOURNAL: folder }).of()).up(withList(jobs, spare));
    const { outs } = await stored.in(access()).up(withList(jobs, spare));
    expect(outs).toMatchObject({ sharedSources: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("an entry whose description has changed after a crash gets the new description", async () => {
    const other = { ...jobs, description: "other" };
    await command().create("access", withList(jobs));
    const stored = await command().create("access", withList(other));
    expect(stored.outs).toMatchObject({ sharedSources: [] });
    expect(await listOnServer()).toEqual([office, build, named(other)]);
    await stored.in(access()).delete();
    expect(await listOnServer()).toEqual([office, build]);
  });

  test("an entry from a crash that no program declares stays and names the stack", async () => {
    const stored = await command().create("access", withList(jobs));
    await stored.in(access()).up(withList(jobs, spare));
    await stored.in(access()).up(withList(jobs));
    await stored.in(access()).delete();
    expect(await listOnServer()).toEqual([office, build, named(spare)]);
  });
});

describe("stale reads", () => {
  const oldRead = (...ipAccessList: Properties[]) => answer("GET", { ipAccessList });

  test("an entry that this command removed is added again, even if a stale read shows it", async () => {
    const stored = await command().create("a", withList(jobs));
    const { of, create } = command();
    await stored.in(of("a")).update(withList(spare));
    // The response to the next change does not show the lists.
    await seeded.api.faults(
      once(answer("PATCH", { privateEndpointIds: null })),
      oldRead(office, build, named(jobs), named(spare)),
    );
    await create("b", withEndpoint);
    await create("c", withList(jobs));
    expect(await listOnServer()).toContainEqual(named(jobs));
  });

  test("an entry that this command removed is added again after a shared change is refused", async () => {
    const stored = await command().create("a", withList(jobs));
    const { of, create } = command();
    await stored.in(of("a")).update(withList(spare));
    await seeded.api.faults(oldRead(office, build, named(jobs), named(spare)));
    const wrong = create("b", { serviceId: SERVICE, privateEndpointIds: ["vpce-unknown"] });
    await Promise.all([failureOf(wrong), create("c", withList(jobs))]);
    expect(await listOnServer()).toContainEqual(named(jobs));
  });

  test("an endpoint that moves is added again after a lost request, even if a stale read shows it", async () => {
    const stored = await command().create("a", withEndpoint);
    const { of, create } = command();
    await stored.in(of("a")).update({ serviceId: SERVICE, privateEndpointIds: [] });
    const old = { privateEndpointIds: [ENDPOINT], ipAccessList: [office, build] };
    await seeded.api.faults(once(loseRequest("PATCH")), once(answer("GET", old)));
    await create("b", { ...withList(jobs), ...withEndpoint });
    expect(await seeded.server()).toMatchObject({ privateEndpointIds: [ENDPOINT] });
  });

  test("an own entry is removed even if a read lacks it, unless its description differs", async () => {
    const stored = await seeded.adopt(access(), withList(jobs, spare));
    await seeded.api.faults(once(oldRead(office, build, { ...spare, description: "theirs" })));
    await stored.in(access()).delete();
    expect(await bodies()).toEqual([GET, { ipAccessList: { remove: [named(jobs)] } }]);
  });
});

test("imported entries without a stack's name keep their descriptions and owners", async () => {
  await change({ ipAccessList: { add: [jobs] } });
  const { organizationId } = seeded.api;
  const inputs = { ...withList(jobs, office), organizationId };
  const state = {
    ...inputs,
    __declared: ["ipAccessList", "organizationId", "serviceId"],
    sharedSources: [office.source],
    sharedPrivateEndpointIds: [],
  };
  const stored = new StackResource(access(), SERVICE, inputs, state);
  expect(await stored.check(withList(jobs, office))).toMatchObject({
    ipAccessList: [jobs, office],
  });
  expect(await stored.diff(withList(jobs, office))).toMatchObject({ changes: false });
  const { outs } = await stored.refresh();
  expect(outs).toMatchObject({ ipAccessList: [jobs, office], sharedSources: [office.source] });
  await bodies();
  const updated = await new StackResource(access(), SERVICE, inputs, outs).up(
    withList(jobs, office, spare),
  );
  expect(await bodies()).toEqual([GET, { ipAccessList: { add: [named(spare)] } }]);
  await updated.in(access()).delete();
  expect(await listOnServer()).toEqual([office, build]);
});
