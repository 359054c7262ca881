import { useServices } from "../../contract/service-setup";
import { failureOf } from "../../contract/support";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";

/** The journal of creations on a server. */

const setup = useServices();

describeWithRedis(`the journal${needsRedis}`, () => {
  test("a service is taken from Redis, and nothing is created while Redis is gone", async () => {
    const redis = await startRedis();
    const CLOUDDB_JOURNAL = redis.url;
    setup.restartWith({ CLOUDDB_JOURNAL });
    const create = async () => setup.handlers.create(await setup.checkArgs({ name: "orders", numReplicas: 3 }));
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
      /^The creation journal in Redis at 127\.0\.0\.1:\d+ cannot be used: .*Nothing was created\..*\[CDB4014\]$/,
    );
    expect(await setup.api.services()).toHaveLength(1);
  });
});
