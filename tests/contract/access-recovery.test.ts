import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordName, seal } from "../../provider/core/journal-record";
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
import { answer, loseRequest, once, StackResource } from "./stack";
import type { Properties } from "./support";

/** Entries of a ServiceAccess after crashes, old reads and earlier releases. Each command is a process. */

const seeded = useAccess();
const { command, access, listOnServer, bodies, change } = seeded;
afterEach(() => injectNetworkFault(undefined));

describe("after a crash", () => {
  test.each(["crashes before", "crashes after"] as const)(
    "entries that a process was adding when it %s the request are the stack's own",
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

  test("a declared entry is found again, on another machine and with another key, and no journal is written", async () => {
    const folder = temporaryFolder("journal");
    const stored = await command({ CLOUDDB_JOURNAL: folder }).create("access", withList(jobs));
    await stored.in(command({ CLOUDDB_JOURNAL: folder }).of()).up(withList(jobs, spare));
    const { outs } = await stored.in(access()).up(withList(jobs, spare));
    expect(outs).toMatchObject({ sharedSources: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("an entry whose text has changed since is described anew", async () => {
    const other = { ...jobs, description: "other" };
    await command().create("access", withList(jobs));
    const stored = await command().create("access", withList(other));
    expect(stored.outs).toMatchObject({ sharedSources: [] });
    expect(await listOnServer()).toEqual([office, build, named(other)]);
    await stored.in(access()).delete();
    expect(await listOnServer()).toEqual([office, build]);
  });

  test("an entry that no program declares any more stays, and names the stack", async () => {
    const stored = await command().create("access", withList(jobs));
    await stored.in(access()).up(withList(jobs, spare));
    await stored.in(access()).up(withList(jobs));
    await stored.in(access()).delete();
    expect(await listOnServer()).toEqual([office, build, named(spare)]);
  });
});

describe("old reads", () => {
  const oldRead = (...ipAccessList: Properties[]) => answer("GET", { ipAccessList });

  test("an entry that this command has removed is added, whatever a read shows", async () => {
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

  test("an endpoint that moves is added again after a lost request, whatever the read then shows", async () => {
    const stored = await command().create("a", withEndpoint);
    const { of, create } = command();
    await stored.in(of("a")).update({ serviceId: SERVICE, privateEndpointIds: [] });
    const old = { privateEndpointIds: [ENDPOINT], ipAccessList: [office, build] };
    await seeded.api.faults(once(loseRequest("PATCH")), once(answer("GET", old)));
    await create("b", { ...withList(jobs), ...withEndpoint });
    expect(await seeded.server()).toMatchObject({ privateEndpointIds: [ENDPOINT] });
  });

  test("an own entry that a read lacks is removed, and one with another text is not", async () => {
    const stored = await seeded.adopt(access(), withList(jobs, spare));
    await seeded.api.faults(once(oldRead(office, build, { ...spare, description: "theirs" })));
    await stored.in(access()).delete();
    expect(await bodies()).toEqual([GET, { ipAccessList: { remove: [named(jobs)] } }]);
  });
});

describe("states and journals of earlier releases", () => {
  const earlier = (inputs: Properties) => ({
    ...inputs,
    __declared: ["ipAccessList", "organizationId", "serviceId"],
    __others: { ipAccessList: ["198.51.100.7/32", "203.0.113.0/24"], privateEndpointIds: [] },
    __added: "a token",
    sharedSources: ["203.0.113.0/24"],
    sharedPrivateEndpointIds: [],
  });

  test("texts and owners stay as a state of an earlier release has them", async () => {
    await change({ ipAccessList: { add: [jobs] } });
    const { organizationId } = seeded.simulator;
    const inputs = { ...withList(jobs, office), organizationId };
    const stored = new StackResource(access(), SERVICE, inputs, earlier(inputs));
    expect(await stored.check(withList(jobs, office))).toMatchObject({
      ipAccessList: [jobs, office],
    });
    expect(await stored.diff(withList(jobs, office))).toMatchObject({ changes: false });
    const { outs } = await stored.refresh();
    expect(outs).toMatchObject({ ipAccessList: [jobs, office], sharedSources: ["203.0.113.0/24"] });
    expect(outs).not.toHaveProperty("__others");
    await bodies();
    const updated = await new StackResource(access(), SERVICE, inputs, outs).up(
      withList(jobs, office, spare),
    );
    expect(await bodies()).toEqual([GET, { ipAccessList: { add: [named(spare)] } }]);
    await updated.in(access()).delete();
    expect(await listOnServer()).toEqual([office, build]);
  });

  test("a record of entries that an earlier release was to add counts once, for its own resource", async () => {
    await change({ ipAccessList: { add: [jobs, spare] } });
    const folder = join(temporaryFolder("journal"), "records");
    mkdirSync(folder);
    const { baseUrl, keySecret, organizationId } = seeded.simulator;
    const facts = {
      title: "access to service",
      name: "access",
      sentAt: "2026-11-21T10:00:00.000Z",
      process: 1,
    };
    const record = { version: 1, backend: "file:///states", baseUrl, organizationId, ...facts };
    const types = ["clouddb:index:ServiceAccess", "pulumi-nodejs:dynamic/clouddb:serviceAccess"];
    for (const [type, name, entry] of types.flatMap((type) => [
      [type, "access", jobs] as const,
      [type, "other", spare] as const,
    ])) {
      const urn = `urn:pulumi:dev::test::${type}::${name}`;
      const secrets = seal({ inputs: withList(entry) }, keySecret);
      const text = JSON.stringify({ ...record, urn, secrets, target: SERVICE, token: "t" });
      writeFileSync(
        join(folder, `${recordName({ backend: record.backend, urn }, baseUrl, "")}.json`),
        text,
      );
    }
    const { create, ofEntries } = command({ CLOUDDB_JOURNAL: folder });
    const { outs } = await create("access", withList(jobs, spare));
    expect(outs).toMatchObject({ sharedSources: [spare.source] });
    expect(await listOnServer()).toEqual([office, build, spare, named(jobs)]);
    expect(readdirSync(folder)).toHaveLength(3);
    expect(ofEntries()).toEqual([]);
  });
});
