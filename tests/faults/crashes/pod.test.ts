import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expectOk, newStack, simulated, typeOf } from "../../engine/support/stack";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";
import { killAt } from "./interrupted-up";

/** A stack in a pod, as in examples/kubernetes: its home folder dies with it, and the journal is in Redis. */

const program = `
  for (const name of ["orders", "invoices"]) new clouddb.Service(name, { region: "us-east-1", numReplicas: 3 });
`;

describeWithRedis(`a pod that dies${needsRedis}`, () => {
  test.each(["after record 2", "before record 3"])(
    "%s: the next pod takes its services into the stack, with their passwords, and creates none twice",
    async (point) => {
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
      await killAt(stack, point, "both");
      const created = await api.services();
      expect(created).not.toHaveLength(0);
      await api.requests();

      startPod("second-pod");
      expect(await expectOk(stack.up())).toContain("[CDB4011]");
      const services = await api.services();
      expect(services.map(({ name }) => name).sort()).toEqual(["invoices", "orders"]);
      const posts = (await api.requests()).filter(({ request }) => request.startsWith("POST"));
      expect(posts).toHaveLength(2 - created.length);
      const stored = (await stack.resources()).filter(({ type }) => type === typeOf("Service"));
      expect(stored.map(({ id }) => id).sort()).toEqual(services.map(({ id }) => id).sort());
      for (const { outputs } of stored) expect(outputs?.password).toHaveProperty("ciphertext");
      await expectOk(stack.up("--expect-no-changes"));
    },
  );
});
