import { compileProgram, newFleet, resultsIn } from "../../programs/fleet/support";
import { expectOk, simulated } from "../support/stack";

test("a roll-out and a check for drift find all stacks of the server", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, await compileProgram(), 6);
  const output = await expectOk(fleet.tool("roll-out", "--canary", "s-03"));
  expect(resultsIn(output)).toEqual(Object.fromEntries(fleet.names.map((name) => [name, "updated"])));
  expect(await api.services()).toHaveLength(6);
  expect(await expectOk(fleet.tool("drift"))).toContain("6 stacks: 6 no drift.");
});
