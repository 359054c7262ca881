import { createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { useServices } from "../../contract/service-setup";
import { failureOf } from "../../contract/support";
import { up } from "../../support/engine/resource";
import { serve } from "../../support/local-server";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";

/** The journal of creations on a server. */

const setup = useServices();

describeWithRedis(`the journal${needsRedis}`, () => {
  test("a service is taken from Redis, and nothing is created while Redis is gone", async () => {
    const redis = await startRedis();
    const CLOUDDB_JOURNAL = redis.url;
    setup.restartWith({ CLOUDDB_JOURNAL });
    const create = async () => {
      const { stored, error } = await up(setup.handlers, undefined, {
        name: "orders",
        numReplicas: 3,
      });
      if (error !== undefined) throw error;
      return { id: String(stored?.id), outs: stored?.outputs ?? {} };
    };
    const { id, outs } = await create();
    const records = JSON.stringify(await redis.admin.hgetall("clouddb:creations"));
    expect(records).toContain(id);
    expect(records).not.toContain(String(outs.password));

    setup.restartWith({ CLOUDDB_JOURNAL });
    expect((await create()).outs.password).toBe(outs.password);
    expect(await setup.api.services()).toHaveLength(1);

    await redis.close();
    setup.restartWith({ CLOUDDB_JOURNAL });
    const { message } = await failureOf(create());
    expect(message).toMatch(
      /^The creation journal cannot read [0-9a-f]{32} in Redis at 127\.0\.0\.1:\d+: .*so nothing was sent\..*\[CDB4014\]$/,
    );
    expect(await setup.api.services()).toHaveLength(1);
  });

  test("of two creations of one resource at the same time, one is refused", async () => {
    const redis = await startRedis();
    const creations = [1, 2].map(async () => {
      setup.restartWith({ CLOUDDB_JOURNAL: redis.url });
      const { stored, error } = await up(setup.handlers, undefined, { name: "orders" });
      return stored?.id ?? error?.message;
    });
    const results = await Promise.all(creations);
    expect(results).toContainEqual(
      expect.stringMatching(/another command began|an earlier command asked/),
    );
    expect(await setup.api.services()).toHaveLength(1);
    await redis.close();
  });

  test("a server that is lost between the two records costs nothing but a warning", async () => {
    const redis = await startRedis();
    setup.restartWith({ CLOUDDB_JOURNAL: redis.url });
    const inputs = await setup.checkArgs({ name: "orders", numReplicas: 3 });
    await setup.api.faults({
      method: "POST",
      effect: { kind: "latency", milliseconds: 1000, when: "after" },
    });
    const creation = setup.handlers.create(inputs);
    while ((await setup.api.services()).length === 0) await setTimeout(20);
    await redis.close();
    const { outs } = await creation;
    expect(outs.password).toEqual(expect.any(String));
    expect(setup.handlers.messages).toEqual([
      expect.stringMatching(
        /could not store that service .* was created: .*pulumi-clouddb creations discard .*\[CDB4014\]$/,
      ),
    ]);
  });

  test("a password that the server echoes is not shown", async () => {
    const refuse = (socket: Socket) =>
      socket.on("data", () =>
        socket.write(
          "-ERR unknown command AUTH, with args beginning with: user canary of redis\r\n",
        ),
      );
    const port = await serve(createServer(refuse));
    setup.restartWith({ CLOUDDB_JOURNAL: `redis://user:canary%20of%20redis@127.0.0.1:${port}` });
    const { error } = await up(setup.handlers, undefined, { name: "orders" });
    expect(error?.message).toMatch(
      /cannot read .*: 127\.0\.0\.1:\d+ refused: ERR unknown command AUTH/,
    );
    expect(JSON.stringify([error?.message, setup.handlers.messages])).not.toContain("canary");
  });
});
