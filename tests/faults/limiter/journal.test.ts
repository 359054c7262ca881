import { createServer, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import { useServices } from "../../contract/simulators";
import { create as createWith, failedCreation, failureOf } from "../../contract/support";
import { serve } from "../../support/local-server";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";
import { histories } from "../../witness/histories";
import { newWorld, useHistories } from "../../witness/history";
import { placeholders } from "../../witness/witness";

/** The journal of creations on a server. */

const setup = useServices();

describeWithRedis(`the journal${needsRedis}`, () => {
  test("a service is adopted from the journal in Redis, and an outage of Redis stops creations", async () => {
    const redis = await startRedis();
    const CLOUDDB_JOURNAL = redis.url;
    setup.restartWith({ CLOUDDB_JOURNAL });
    const create = () => createWith(setup.handlers, { name: "orders", numReplicas: 3 });
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

  test("one of two simultaneous creations of one resource is refused", async () => {
    const redis = await startRedis();
    const creations = [1, 2].map(() => {
      setup.restartWith({ CLOUDDB_JOURNAL: redis.url });
      return createWith(setup.handlers, { name: "orders" }).catch(({ message }: Error) => message);
    });
    const results = await Promise.all(creations);
    expect(results).toContainEqual(
      expect.stringMatching(/another command began|an earlier command asked/),
    );
    expect(await setup.api.services()).toHaveLength(1);
    await redis.close();
  });

  test("losing Redis between the two records of a creation only causes a warning", async () => {
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

  test("a password that Redis echoes is not shown", async () => {
    const refuse = (socket: Socket) =>
      socket.on("data", () =>
        socket.write(
          "-ERR unknown command AUTH, with args beginning with: user canary of redis\r\n",
        ),
      );
    const port = await serve(createServer(refuse));
    setup.restartWith({ CLOUDDB_JOURNAL: `redis://user:canary%20of%20redis@127.0.0.1:${port}` });
    const { message } = await failedCreation(setup.handlers, { name: "orders" });
    expect(message).toMatch(/cannot read .*: 127\.0\.0\.1:\d+ refused: ERR unknown command AUTH/);
    expect(JSON.stringify([message, setup.handlers.messages])).not.toContain("canary");
  });
});

/* The keys and values that processes of all releases share. */

const run = useHistories();
const WINDOW_MS = 3_600_000;

/** Each key with its type and value. The field names of a hash depend on the machine. */
async function stored(redis: Redis): Promise<object> {
  const keys = (await redis.keys("*")).sort();
  const entries = keys.map(async (key) => {
    const type = await redis.type(key);
    const ends = await redis.pttl(key);
    if (type === "hash") {
      const records = Object.values(await redis.hgetall(key)).map((text) => JSON.parse(text));
      return [key, { type, ends, records: placeholders(records) }];
    }
    return [key, { type, value: await redis.get(key), isInWindow: ends > 0 && ends <= WINDOW_MS }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

describeWithRedis(`Redis${needsRedis}`, () => {
  test("stored values are as recorded after a lost creation and a refresh", async () => {
    const { url, admin } = await startRedis();
    const environment = {
      CLOUDDB_JOURNAL: url,
      CLOUDDB_RATE_LIMIT_URL: url,
      CLOUDDB_RATE_LIMIT: "10 per 3600 s",
    };
    const lost = histories["a creation that the stack has not stored"] ?? [];
    const adopted = histories["an adopted service"] ?? [];
    await run(newWorld(), [...lost, ...adopted], environment);
    expect(await stored(admin)).toMatchSnapshot();
  });
});
