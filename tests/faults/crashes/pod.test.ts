import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newStack, simulated, storedServices } from "../../engine/support/stack";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";
import { killAt } from "./interrupted-up";

/**
 * A stack in a pod, as in examples/kubernetes: its home folder dies with it, and the journal is in
 * Redis.
 */

/**
 * Access is added to the service by another resource, which reads it: at that point only the
 * journal has the service.
 */
const program = `
  const orders = new clouddb.Service("orders", { region: "us-east-1", numReplicas: 3 });
  new clouddb.ServiceAccess("office", { serviceId: orders.id, ipAccessList: [{ source: "203.0.113.7" }] });
`;

describeWithRedis(`a pod that dies${needsRedis}`, () => {
  test("after a pod dies, the next pod adopts its service with the password, and creates none twice", async () => {
    const redis = await startRedis();
    const api = await simulated();
    const stack = await newStack(api, program);
    const startPod = (name: string) => {
      const home = join(stack.folder, name);
      mkdirSync(home);
      stack.environment({ PULUMI_HOME: home, HOME: home, CLOUDDB_JOURNAL: redis.url });
    };
    stack.environment({ PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" });
    startPod("first-pod");
    await killAt(stack, "after a read", "both");
    const created = await api.services();
    expect(created).toHaveLength(1);
    await api.requests();

    startPod("second-pod");
    expect(await stack.up()).toContain("[CDB4011]");
    expect(await api.requestNames()).not.toContain("POST /services");
    expect(await api.services()).toMatchObject([
      { id: created[0]?.id, ipAccessList: [{ source: "203.0.113.7" }] },
    ]);
    const stored = await storedServices(stack);
    expect(stored.map(({ id }) => id)).toEqual([created[0]?.id]);
    expect(stored[0]?.outputs?.password).toHaveProperty("ciphertext");
    await stack.up("--expect-no-changes");
  });
});
