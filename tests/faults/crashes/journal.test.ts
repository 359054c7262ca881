import {
  expectFailure,
  expectOk,
  newStack,
  simulated,
  storedServices,
} from "../../engine/support/stack";
import { killAt, VICTIMS } from "./interrupted-up";

/*
 * Kills at every point of a creation, and then `pulumi up` alone. CLOUDDB_CRASH_MOMENTS=all kills
 * each time the plugin, the engine and both, with checkpoints and without.
 */

const isAll = process.env.CLOUDDB_CRASH_MOMENTS === "all";
/** Two services, one after the other; the kill is at the creation of the first. */
const program = (existingServiceId?: string) => `
  const orders = new clouddb.Service("orders", { region: "us-east-1", numReplicas: 3, existingServiceId: ${JSON.stringify(existingServiceId)} });
  new clouddb.Service("second", { region: "us-east-1", idleScaling: orders.id.apply(() => true) });
`;

/**
 * The points of a creation, the services on the server by then, and the next `pulumi up`. At the
 * last point the engine has the first service, and writes it at once or, without checkpoints,
 * never.
 */
const POINTS = [
  ["before record 1", [], "created"],
  ["after record 1", [], "refused"],
  ["after the request", ["orders"], "refused"],
  ["at the response", ["orders"], "refused"],
  ["before record 2", ["orders"], "refused"],
  ["after record 2", ["orders"], "taken"],
  ["before record 3", ["orders"], "stored"],
] as const;

const cases = POINTS.flatMap(([point, existing, next], index) =>
  VICTIMS.flatMap((victim, which) =>
    [false, true].map((skipsCheckpoints) => ({
      point,
      existing,
      next,
      victim,
      skipsCheckpoints,
      index,
      which,
    })),
  ),
).filter(
  ({ index, which, skipsCheckpoints }) =>
    isAll || (which === index % 3 && skipsCheckpoints === index > 3),
);

test.each(cases)(
  `after kill -9 of $victim $point, the next up has the result "$next" (checkpoints skipped: $skipsCheckpoints)`,
  async (each) => {
    const { point, existing, next, victim, skipsCheckpoints } = each;
    const api = await simulated();
    const stack = await newStack(api, program());
    if (skipsCheckpoints)
      stack.environment({ PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" });
    await killAt(stack, point, victim);

    const before = await api.services();
    expect(before.map(({ name }) => name)).toEqual(existing);
    let output = "";
    if (next === "refused") {
      output = await expectFailure(stack.up());
      expect(output).toMatch(
        /an earlier command requested it at .* and got no response: it may exist\. Nothing was sent now\..*\[CDB4012\]/s,
      );
      expect(await api.services()).toEqual(before);
      if (before[0] === undefined)
        await expectOk(stack.command("npx", "pulumi-clouddb", "creations", "discard", "orders"));
      else stack.program(program(String(before[0].id)));
    }
    output = await stack.up();
    const isTaken =
      next === "taken" || (next === "stored" && skipsCheckpoints && victim !== "plugin");
    expect(output.includes("[CDB4011]")).toBe(isTaken);
    const onServer = await api.services();
    expect(onServer.map(({ name }) => name).sort()).toEqual(["orders", "second"]);
    const stored = await storedServices(stack);
    expect(stored.map(({ id }) => id).sort()).toEqual(onServer.map(({ id }) => id).sort());
    // The password of an adopted service was in the lost response.
    const [adopted] = next === "refused" ? before : [];
    for (const { id, outputs } of stored)
      if (id !== adopted?.id) expect(outputs?.password).toHaveProperty("ciphertext");
    // A pending creation stays in the state, with Pulumi's warning, until a refresh clears it.
    await stack.refresh("--clear-pending-creates");
    expect(await stack.up("--expect-no-changes")).not.toContain("pending operations");
    const list = await expectOk(stack.command("npx", "pulumi-clouddb", "creations", "list"));
    expect(list).toContain(
      `The journal in ${stack.folder}/home/clouddb-creations holds no creation.`,
    );
  },
);
