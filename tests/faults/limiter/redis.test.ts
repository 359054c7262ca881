import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stateKey } from "../../../provider/core/redis-sharing";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";
import { root } from "../../support/root";
import { type Fleet, namesOf, newFleet } from "./fleet";

/* Several processes with one API key, a simulator with a rate limit, and a real server of Redis or Valkey. */

const LIMIT = { requests: 10, seconds: 1, tells: "retryAfterDecimal" } as const;
const CERTIFICATES = join(__dirname, "../../contract/certificate");
const TLS = { certificate: join(CERTIFICATES, "certificate.pem"), key: join(CERTIFICATES, "key.pem") };

const SHARING_FAILED = /Cannot share/;

const sharing = (url: string) => ({ CLOUDDB_RATE_LIMIT_URL: url });
const keyOf = ({ simulator: { baseUrl, keyId } }: Fleet) => stateKey({ baseUrl, keyId });

describeWithRedis(`processes that share a rate limit through Redis${needsRedis}`, () => {
  test("create every service once, in turns, and are hardly refused", async () => {
    const redis = await startRedis();
    const fleet = await newFleet(LIMIT);
    const names = ["a", "b", "c", "d", "e", "f"];
    const { failures, messages } = await fleet.run({ names, each: 10, environment: sharing(redis.url) });
    expect(failures).toEqual([]);
    expect(JSON.stringify(messages)).not.toMatch(SHARING_FAILED);
    expect(await fleet.names()).toEqual(namesOf(names, 10));
    expect(await fleet.refused()).toBeLessThanOrEqual(6);
    // When half of the work is done, no process has fallen behind.
    const created = (await fleet.journal()).flatMap(({ status, body }) =>
      status === 200 ? [String((body as { name: string }).name)] : [],
    );
    for (const name of names) {
      expect(created.slice(0, 36).filter((text) => text.startsWith(name)).length).toBeGreaterThanOrEqual(3);
    }
    // The key of the state shows neither the key's ID nor the address, and its value does not, either.
    expect(await redis.admin.keys("*")).toEqual([keyOf(fleet)]);
    const stored = `${keyOf(fleet)} ${await redis.admin.get(keyOf(fleet))}`;
    for (const known of [fleet.simulator.keyId, fleet.simulator.keySecret, fleet.simulator.baseUrl]) {
      expect(stored).not.toContain(known);
    }
  });

  test("a process that starts later knows the limit", async () => {
    const redis = await startRedis();
    const fleet = await newFleet(LIMIT);
    await fleet.run({ names: ["first"], each: 25, environment: sharing(redis.url) });
    const refused = await fleet.refused();
    expect(refused).toBeGreaterThan(0);
    await fleet.run({ names: ["second", "third"], each: 15, environment: sharing(redis.url) });
    expect(await fleet.refused()).toBe(refused);
  });

  test("what has begun goes before what others want to begin", async () => {
    const redis = await startRedis();
    const fleet = await newFleet({ ...LIMIT, requests: 6 });
    await fleet.run({ names: ["a", "b"], each: 8, environment: { ...sharing(redis.url), URGENT: "1" } });
    const passed = (await fleet.journal()).filter(({ status }) => status === 200);
    let begun = 0;
    const most = passed.map(({ method }) => {
      begun += method === "POST" ? 1 : -1;
      return begun;
    });
    expect(passed).toHaveLength(32);
    // Without it, all sixteen would be created first.
    expect(Math.max(...most)).toBeLessThanOrEqual(11);
  });

  test("a refusal of one stops all", async () => {
    const redis = await startRedis();
    const fleet = await newFleet({ ...LIMIT, requests: 5 });
    await fleet.faults([
      { method: "POST", times: 1, effect: { kind: "status", status: 429, headers: { "retry-after": "3" } } },
    ]);
    await fleet.run({ names: ["a", "b", "c"], each: 3, environment: sharing(redis.url) });
    const times = (await fleet.journal()).map(({ at, status }) => ({ at: Date.parse(at), status }));
    const refusedAt = times.find(({ status }) => status === 429)?.at ?? 0;
    // Requests in flight still arrive.
    expect(times.filter(({ at }) => at > refusedAt + 1000 && at < refusedAt + 2900)).toEqual([]);
    expect(await fleet.names()).toHaveLength(9);
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
    const url = redis.url.replace("//", `//clouddb:${encodeURIComponent("p%s w")}@`);
    const { messages } = await fleet.run({ names: ["a", "b"], each: 3, environment: sharing(url) });
    expect(JSON.stringify(messages)).not.toMatch(SHARING_FAILED);
    expect(await redis.admin.exists(keyOf(fleet))).toBe(1);
  });

  test("TLS needs a certificate that Node trusts", async () => {
    const redis = await startRedis({ tls: TLS });
    const fleet = await newFleet(LIMIT);
    const trusting = { ...sharing(redis.url), NODE_EXTRA_CA_CERTS: TLS.certificate };
    const { messages } = await fleet.run({ names: ["a"], each: 3, environment: trusting });
    expect(JSON.stringify(messages)).not.toMatch(SHARING_FAILED);
    expect(await redis.admin.exists(keyOf(fleet))).toBe(1);
    const refused = await fleet.run({ names: ["b"], each: 3, environment: sharing(redis.url) });
    expect(refused.messages.b).toEqual([expect.stringContaining(`the certificate of 127.0.0.1:${redis.port} is not`)]);
    expect(await fleet.names()).toEqual(namesOf(["a", "b"], 3));
  });
});
