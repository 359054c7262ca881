import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "../../provider/resources";
import { type RunningSimulator, startSimulator } from "../../simulator/index";
import { ADAPTER } from "../support/adapters/adapter";
import { createTestApi, type TestApi } from "../support/api";
import { up } from "../support/engine/resource";
import type { Stored } from "../support/engine/state";
import { exampleSeed } from "../support/example";
import { temporaryFolder } from "../support/temporary-folder";
import dynamicRecordings from "./recorded/dynamic.json";
import nativeRecordings from "./recorded/native.json";
import { createHandlers, type Properties } from "./support";

/**
 * Stacks, half-done operations and journals as early builds of 0.1.0 wrote them, with each adapter. The next `up` does
 * exactly what it did with those builds.
 */

interface Recording {
  readonly name: string;
  readonly type: keyof typeof resources;
  /** The program's arguments in the next `up`. */
  readonly args: Properties;
  /** Absent if the process died before the stack was stored. */
  readonly stored?: Stored;
  /** The texts of the journal's files. */
  readonly journal: Readonly<Record<string, string>>;
  /** The services that the server has beside those of the example. */
  readonly server: readonly Properties[];
  /** The result of the next `up`. */
  readonly next: { readonly action: string; readonly code?: string; readonly requests: unknown };
}

/** Records name the API's address, so it is always the same. */
const PORT = { dynamic: 21_753, native: 21_754 }[ADAPTER];
const recordings = { dynamic: dynamicRecordings, native: nativeRecordings }[
  ADAPTER
] as unknown as Recording[];

let simulator: RunningSimulator;
let api: TestApi;

beforeAll(async () => {
  simulator = await startSimulator({
    port: PORT,
    keyId: "recorded-key",
    keySecret: "recorded-secret",
  });
  api = createTestApi(simulator);
});
afterAll(() => simulator.close());

/** Restarts the server's state, with the services that a recording knows. */
async function seedServer(services: readonly Properties[]): Promise<void> {
  const [organization, ...others] = exampleSeed.organizations ?? [];
  const known = [...(organization?.services ?? []), ...services];
  const seed = {
    ...exampleSeed,
    organizations: [{ ...organization, tier: "ENTERPRISE", services: known }, ...others],
  };
  const body = JSON.stringify(seed);
  const headers = { "content-type": "application/json" };
  expect(
    (await fetch(`${simulator.baseUrl}/__admin/seed`, { method: "PUT", headers, body })).status,
  ).toBe(200);
  await api.requests();
}

test.each(recordings)("$name", async ({ type, args, stored, journal, server, next }) => {
  await seedServer(server);
  const folder = join(temporaryFolder("recorded"), "records");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(journal)) writeFileSync(join(folder, name), text);
  const organizationId = exampleSeed.organizations?.[0]?.id ?? "";
  const environment = { CLOUDDB_JOURNAL: folder, PULUMI_BACKEND_URL: "s3://states" };
  const handlers = createHandlers(
    resources[type].definition,
    { ...simulator, organizationId },
    environment,
  );

  const { action, error, stored: after } = await up(handlers, stored, args);
  const requests = (await api.requests()).map(({ request, body }) =>
    body === null ? [request] : [request, body],
  );
  const [code] = /CDB\d{4}/.exec(error?.message ?? "") ?? [];
  const password = after?.outputs.password ?? null;
  expect({ action, code, requests, password }).toEqual(next);
});
