import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { windowKey } from "../../../provider/core/shared-quota";
import { describeWithRedis, needsRedis, type RunningRedis, startRedis } from "../../support/redis";
import { root } from "../../support/root";
import { namesOf, newFleet } from "./fleet";

/* Processes with one API key, a simulator with a rate limit, and a real server of Redis or Valkey. */

const LIMIT = { requests: 10, seconds: 1 } as const;
const CERTIFICATES = join(__dirname, "../../contract/certificate");
const TLS = { certificate: join(CERTIFICATES, "certificate.pem"), key: join(CERTIFICATES, "key.pem") };
const OUTAGE_MS = 3000;
const TWELVE = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));

const SHARING_FAILED = /Cannot share/;
const TOO_HIGH = /^The API goes on refusing requests within clouddb:rateLimit \(CLOUDDB_RATE_LIMIT\), 20 per 1 s\./;

const sharing = (url: string, limit = "10 per 1 s") => ({ CLOUDDB_RATE_LIMIT_URL: url, CLOUDDB_RATE_LIMIT: limit });

/** Prints what was measured. */
async function report({ ratio, refused }: Awaited<ReturnType<typeof newFleet>>) {
  const measured = { ratio: await ratio(), refused: await refused() };
  process.stderr.write(`${expect.getState().currentTestName}: ${JSON.stringify(measured)}\n`);
  return measured;
}

describeWithRedis(`processes that share a rate limit through Redis${needsRedis}`, () => {
  test("300 limiters that start at once take at most 1.15 of the shortest time", async () => {
    const { url } = await startRedis();
    const fleet = await newFleet(LIMIT);
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const { messages } = await fleet.run({ names, each: 3, environment: { ...sharing(url), LIMITERS: "10" } });
    expect(JSON.stringify(messages)).not.toMatch(SHARING_FAILED);
    const { ratio, refused } = await report(fleet);
    expect(ratio).toBeLessThanOrEqual(1.15);
    // On a busy machine, requests arrive late.
    expect(refused).toBeLessThanOrEqual(90);
  });

  test("one limiter alone takes at most 1.1 of the shortest time", async () => {
    const { url } = await startRedis();
    const fleet = await newFleet(LIMIT);
    await fleet.run({ names: ["a"], each: 100, environment: { ...sharing(url), LIMITERS: "1" } });
    expect((await report(fleet)).ratio).toBeLessThanOrEqual(1.1);
  });

  test("a stack of 5 services is done within seconds beside one of 300", async () => {
    const { url } = await startRedis();
    const fleet = await newFleet(LIMIT);
    const many = fleet.run({ names: ["many"], each: 300, environment: sharing(url) });
    while ((await fleet.journal()).length < 20) await setTimeout(20);
    const startedAt = Date.now();
    await fleet.run({ names: ["few"], each: 5, environment: sharing(url) });
    const ms = Date.now() - startedAt;
    process.stderr.write(`a stack of 5 beside one of 300: ${ms} ms\n`);
    expect(ms).toBeLessThan(6000);
    await many;
    expect((await report(fleet)).ratio).toBeLessThanOrEqual(1.15);
  });

  test.each<[string, (redis: RunningRedis) => unknown]>([
    [
      "is stopped for a while",
      async ({ signal }) => {
        signal("SIGSTOP");
        await setTimeout(OUTAGE_MS);
        signal("SIGCONT");
      },
    ],
    [
      "is gone for a while and comes back empty",
      async (redis) => {
        await redis.close();
        await setTimeout(OUTAGE_MS);
        await startRedis({ port: redis.port });
      },
    ],
    [
      "is full for a while",
      async ({ admin }) => {
        await admin.config("SET", "maxmemory", "1");
        await setTimeout(OUTAGE_MS);
        await admin.config("SET", "maxmemory", "0");
      },
    ],
    ["is flushed", ({ admin }) => admin.flushall()],
    ["is killed for good", ({ close }) => close()],
  ])("12 processes take at most 1.3 of the shortest time while Redis %s", async (_, fail) => {
    const redis = await startRedis();
    const fleet = await newFleet(LIMIT);
    const at = { requests: 40, action: () => fail(redis) };
    const { failures } = await fleet.run({ names: TWELVE, each: 15, environment: sharing(redis.url), at });
    expect(failures).toEqual([]);
    expect(await fleet.names()).toEqual(namesOf(TWELVE, 15));
    expect((await report(fleet)).ratio).toBeLessThanOrEqual(1.3);
  });

  test("a limit of twice what the API allows ends, and says why", async () => {
    const { url } = await startRedis();
    const fleet = await newFleet(LIMIT);
    const environment = sharing(url, "20 per 1 s");
    const { failures, messages } = await fleet.run({ names: TWELVE, each: 10, environment });
    expect(failures).toEqual([]);
    const lines = Object.values(messages).map((own) => own.filter((line) => TOO_HIGH.test(line)).length);
    expect(Math.max(...lines)).toBe(1);
    expect((await report(fleet)).ratio).toBeLessThanOrEqual(1.3);
  });

  test("a refusal of one process stops all", async () => {
    const { url, admin } = await startRedis();
    const fleet = await newFleet({ ...LIMIT, requests: 5 });
    await fleet.faults({
      method: "POST",
      times: 1,
      effect: { kind: "status", status: 429, headers: { "retry-after": "3" } },
    });
    await fleet.run({ names: ["a", "b", "c"], each: 3, environment: sharing(url, "5 per 1 s") });
    const times = (await fleet.journal()).map(({ at, status }) => ({ at: Date.parse(at), status }));
    const refusedAt = times.find(({ status }) => status === 429)?.at ?? 0;
    // Requests in flight still arrive.
    expect(times.filter(({ at }) => at > refusedAt + 1000 && at < refusedAt + 2900)).toEqual([]);
    expect(await fleet.names()).toHaveLength(9);
    // The key shows neither the API key's ID nor the address.
    const { baseUrl, keyId } = fleet.simulator;
    expect(await admin.keys("*")).toEqual([windowKey(baseUrl, keyId)]);
    expect(windowKey(baseUrl, keyId)).not.toContain(keyId);
  });

  test("a user with the rights in the documentation is enough", async () => {
    const page = readFileSync(join(root, "docs/guides/share-rate-limit.md"), "utf8");
    const [, rights = ""] = /^ACL SETUSER clouddb (.*)$/m.exec(page) ?? [];
    expect(rights).toContain(">PASSWORD");
    const redis = await startRedis();
    const text = rights.split(" ").map((right) => right.replace("PASSWORD", "p%s w"));
    await redis.admin.call("ACL", "SETUSER", "clouddb", ...text);
    await redis.admin.call("ACL", "SETUSER", "default", "resetpass", ">other");
    const fleet = await newFleet(LIMIT);
    await fleet.faults({
      method: "POST",
      times: 1,
      effect: { kind: "status", status: 429, headers: { "retry-after": "2" } },
    });
    const url = redis.url.replace("//", `//clouddb:${encodeURIComponent("p%s w")}@`);
    const { messages } = await fleet.run({ names: ["a", "b"], each: 8, environment: sharing(url) });
    expect(JSON.stringify(messages)).not.toMatch(SHARING_FAILED);
  });

  test("TLS needs a certificate that Node trusts", async () => {
    const redis = await startRedis({ tls: TLS });
    const fleet = await newFleet(LIMIT);
    const trusting = { ...sharing(redis.url), NODE_EXTRA_CA_CERTS: TLS.certificate };
    const { messages } = await fleet.run({ names: ["a"], each: 3, environment: trusting });
    expect(JSON.stringify(messages)).not.toMatch(SHARING_FAILED);
    const refused = await fleet.run({ names: ["b"], each: 3, environment: sharing(redis.url) });
    expect(refused.messages.b).toEqual([expect.stringContaining(`the certificate of 127.0.0.1:${redis.port} is not`)]);
    expect(await fleet.names()).toEqual(namesOf(["a", "b"], 3));
  });
});
