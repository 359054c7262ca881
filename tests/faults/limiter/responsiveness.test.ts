import { connect, createServer, type Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createRateLimiter } from "../../../provider/api";
import { redisSharing } from "../../../provider/core/redis-sharing";
import { type Message, render } from "../../../provider/errors";
import { clock } from "../../../provider/hosts/process";
import { listen } from "../../support/free-port";
import { describeWithRedis, needsRedis, readState, startRedis } from "../../support/redis";

/* Only a server that does not respond is given up: neither one that is busy, nor because this process is. */

const KEY = { baseUrl: "http://127.0.0.1", keyId: "key" };
const ASK = { isUrgent: false, wanted: 1 };

const sharingThrough = (url: string) => redisSharing(url, KEY, (text) => text);

/** Keeps this process from doing anything else. */
function stall(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describeWithRedis(`a server of Redis${needsRedis}`, () => {
  test("serves 300 processes that start at once, under an API that does not refuse", async () => {
    const { url } = await startRedis();
    const lines: string[] = [];
    const log = (line: Message) => lines.push(render(line));
    let sent = 0;
    const work = async () => {
      const limiter = createRateLimiter({ clock, random: Math.random, log }, sharingThrough(url));
      const request = async () => {
        const permit = await limiter.acquire({ since: clock.now(), maxWaitMs: 600_000, isUrgent: false });
        await sleep(20);
        sent += 1;
        permit?.release();
      };
      await Promise.all(Array.from({ length: 5 }, request));
    };
    await Promise.all(Array.from({ length: 300 }, work));
    expect(lines).toEqual([]);
    expect(sent).toBe(1500);
  });

  test.each([
    ["connects", 0],
    ["waits for a response", 1],
  ])("is not blamed when the process is busy for seconds while it %s", async (_, before) => {
    const { url } = await startRedis();
    const { process, exchange } = sharingThrough(url);
    for (let count = 0; count < before; count += 1) await exchange({ process, ended: [] });
    const response = exchange({ process, ended: [], ask: ASK });
    await sleep(0);
    stall(2500);
    expect(await response).toMatchObject({ granted: 1 });
  });

  test("is asked again when it closes the first connections", async () => {
    const { port } = await startRedis();
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      if (connections < 3) return socket.resetAndDestroy();
      const upstream = connect(port, "127.0.0.1");
      socket.on("error", () => {}).on("close", () => upstream.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    servers.push(server);
    const { process, exchange } = sharingThrough(`redis://127.0.0.1:${await listen(server)}`);
    expect(await exchange({ process, ended: [], ask: ASK })).toMatchObject({ granted: 1 });
    expect(connections).toBe(3);
  });

  test("is used again once it responds again", async () => {
    const { url, signal, admin } = await startRedis();
    const lines: string[] = [];
    const log = (line: Message) => lines.push(render(line));
    const limiter = createRateLimiter({ clock, random: Math.random, log }, sharingThrough(url));
    const request = async () =>
      (await limiter.acquire({ since: clock.now(), maxWaitMs: 600_000, isUrgent: false }))?.release();
    const permits = async () => {
      const [key = ""] = await admin.keys("*");
      return (await readState(admin, key)).permits;
    };
    await request();
    signal("SIGSTOP");
    await request();
    await sleep(3000);
    signal("SIGCONT");
    const before = await permits();
    while ((await permits()) === before) {
      await sleep(200);
      await request();
    }
    expect(lines).toEqual([expect.stringContaining("did not respond within 1 s")]);
  });
});
