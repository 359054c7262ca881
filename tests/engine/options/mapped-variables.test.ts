import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, expectOk, newStack, restartWithKey, simulated, testHome } from "../support/stack";

/** `envVarMappings` of a provider, whose key is in no state: the key rotates, and its variable is missing. */

test("a rotated key of a mapped variable works at once, and a missing variable is never another account", async () => {
  const data = mkdtempSync(join(testHome(), "data-"));
  const [home, away] = [await simulated(), await simulated({ data, keySecret: "old-key" })];
  const { service } = await away.change("POST", "", { name: "elder" });
  const { id: serviceId } = service as { id: string };
  const stack = await newStack(
    home,
    `const provider = new clouddb.Provider(
       "away", { baseUrl: "${away.baseUrl}" }, { envVarMappings: { AWAY_KEY: "CLOUDDB_KEY_SECRET" } });
     const serviceId = "${serviceId}";
     const access = new clouddb.ServiceAccess("jobs", { serviceId, ipAccessList: [{ source: "203.0.113.7" }] }, { provider });
     exports.found = clouddb.getServiceOutput({ serviceId }, { provider, dependsOn: [access] }).name;`,
  );
  const requests = async () =>
    [await home.requests(), await away.requests()].map((all) => all.map((one) => one.request));
  stack.environment({ AWAY_KEY: "old-key" });
  expect(await expectOk(stack.up())).toContain('found: "elder"');

  await restartWithKey(away, data, "new-key");
  stack.environment({ AWAY_KEY: "new-key" });
  expect(await expectOk(stack.refresh("--expect-no-changes"))).not.toContain("401");
  await requests();

  stack.environment({ AWAY_KEY: undefined });
  const refused = { preview: stack.preview, up: stack.up, refresh: stack.refresh, destroy: stack.destroy };
  for (const [name, command] of Object.entries(refused)) {
    const output = await expectFailure(command());
    expect([name, output]).toEqual([name, expect.stringMatching(/AWAY_KEY is not set: envVarMappings .*CDB2001/)]);
  }
  expect(await requests()).toEqual([[], []]);

  stack.environment({ AWAY_KEY: "new-key" });
  await expectOk(stack.destroy());
  expect(await requests()).toEqual([[], ["GET /services/{id}", "PATCH /services/{id}"]]);
});
