import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";
import { root } from "../../support/root";
import { namesOf, newFleet } from "./fleet";

/* Processes with one API key, a simulator with a rate limit, and a real server of Redis or Valkey. */

const LIMIT = { requests: 10, seconds: 1 } as const;
const CERTIFICATES = join(__dirname, "../../contract/certificate");
const TLS = {
  certificate: join(CERTIFICATES, "certificate.pem"),
  key: join(CERTIFICATES, "key.pem"),
};

const SHARING_FAILED = /Cannot share/;

const sharing = (url: string) => ({
  CLOUDDB_RATE_LIMIT_URL: url,
  CLOUDDB_RATE_LIMIT: "10 per 1 s",
});

describeWithRedis(`processes that share a rate limit through Redis${needsRedis}`, () => {
  test("300 limiters that start at once take at most 1.15 times the shortest time", async () => {
    const { url } = await startRedis();
    const fleet = await newFleet(LIMIT);
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const { messages } = await fleet.run({
      names,
      each: 3,
      environment: { ...sharing(url), LIMITERS: "10" },
    });
    expect(JSON.stringify(messages)).not.toMatch(SHARING_FAILED);
    expect(await fleet.ratio()).toBeLessThanOrEqual(1.15);
    // On a busy machine, requests arrive late.
    expect(await fleet.refused()).toBeLessThanOrEqual(90);
  });

  test("a Redis user needs only the documented permissions", async () => {
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

  test("a TLS connection to Redis needs a certificate that Node trusts", async () => {
    const redis = await startRedis({ tls: TLS });
    const fleet = await newFleet(LIMIT);
    const trusting = { ...sharing(redis.url), NODE_EXTRA_CA_CERTS: TLS.certificate };
    const { messages } = await fleet.run({ names: ["a"], each: 3, environment: trusting });
    expect(JSON.stringify(messages)).not.toMatch(SHARING_FAILED);
    const refused = await fleet.run({ names: ["b"], each: 3, environment: sharing(redis.url) });
    expect(refused.messages.b).toEqual([
      expect.stringContaining(`the certificate of 127.0.0.1:${redis.port} is not`),
    ]);
    expect(await fleet.names()).toEqual(namesOf(["a", "b"], 3));
  });
});
