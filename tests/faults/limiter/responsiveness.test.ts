import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { createRateLimiter } from "../../../provider/api/rate-limiter";
import { redisCommands } from "../../../provider/core/journal/redis-connection";
import { sharedQuota } from "../../../provider/core/session/shared-quota";
import { type Message, render } from "../../../provider/errors";
import { clock } from "../../../provider/hosts/process";
import { serve } from "../../support/local-server";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";

/* Only a server that does not respond is given up, not a busy one, and not because this process is busy. */

const commandsTo = (url: string) => redisCommands(new URL(url), (text) => text);
const count = (redis: Redis) => redis.incr("count");

/** Keeps this process from doing anything else. */
function stall(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describeWithRedis(`a Redis server${needsRedis}`, () => {
  test.each([
    ["connects", 0],
    ["waits for a response", 1],
  ])(
    "a process that is busy for seconds while it %s does not count as a failure of Redis",
    async (_, before) => {
      const { url } = await startRedis();
      const send = commandsTo(url);
      for (let sent = 0; sent < before; sent += 1) await send(1000, count);
      const response = send(1000, count);
      // After this, timers run before responses are read.
      await new Promise(setImmediate);
      stall(2500);
      expect(await response).toBe(before + 1);
    },
  );

  test("after Redis refuses a command, the next command connects again at once", async () => {
    const send = commandsTo((await startRedis()).url);
    await send(1000, count);
    await expect(send(1000, (redis) => redis.hget("count", "field"))).rejects.toThrow("WRONGTYPE");
    expect(await send(1000, count)).toBe(2);
  });

  test("a command connects again if Redis closes its first connections", async () => {
    const { port } = await startRedis();
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      if (connections < 3) return socket.resetAndDestroy();
      const upstream = connect(port, "127.0.0.1");
      socket.on("error", () => {}).on("close", () => upstream.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    expect(await commandsTo(`redis://127.0.0.1:${await serve(server)}`)(1000, count)).toBe(1);
    expect(connections).toBe(3);
  });

  test("a process uses Redis again once it responds", async () => {
    const { url, signal, admin } = await startRedis();
    const lines: string[] = [];
    const log = (line: Message) => lines.push(render(line));
    const dependencies = { clock, log, random: Math.random, redact: (text: string) => text };
    const quota = sharedQuota(dependencies, url, { requests: 100, windowMs: 60_000 }, "key");
    const limiter = createRateLimiter(clock, log, quota);
    const request = async () =>
      (
        await limiter.acquire({ since: clock.now(), maxWaitMs: 600_000, isUrgent: false })
      )?.release();
    await request();
    signal("SIGSTOP");
    await request();
    expect(lines).toEqual([expect.stringContaining("did not respond within 3 s")]);
    signal("SIGCONT");
    const before = Number(await admin.get("key"));
    while (Number(await admin.get("key")) === before) {
      await sleep(200);
      await request();
    }
    expect(lines).toHaveLength(1);
  });
});
