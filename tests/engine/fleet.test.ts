import { windowKey } from "../../provider/core/session/shared-quota";
import { describeWithRedis, needsRedis, startRedis } from "../support/redis";
import { newStack, simulated } from "./support/stack";

/* Stacks that share an API key, and its rate limit through a real server of Redis or Valkey. */

const LIMIT = { requests: 8, seconds: 2, tells: "retryAfterDecimal" } as const;
const COUNT = 12;
const PASSWORD = "canary-of-redis";

/** Services, and a function that reads one of them as the program runs. */
const program = (stack: string, first = "") => `
  for (let number = 0; number < ${COUNT}; number += 1) {
    new clouddb.Service("${stack}" + number, { numReplicas: 2 }, { protect: false, retainOnDelete: true });
  }
  module.exports = async () => ({ name: (await clouddb.getService({ serviceId: "${first}" })).name });
`;

describeWithRedis(`stacks that share a rate limit${needsRedis}`, () => {
  test("stacks and their functions keep to a shared rate limit together", async () => {
    const redis = await startRedis({ args: ["--requirepass", PASSWORD] });
    const api = await simulated({ rateLimit: LIMIT });
    await api.change("POST", "", { name: "first", provider: "aws", region: "us-east-1" });
    const [first] = await api.services();
    const stacks = await Promise.all(
      ["one", "two"].map((name) => newStack(api).then((stack) => ({ name, stack }))),
    );
    for (const { name, stack } of stacks) {
      stack.program(program(name, String(first?.id)));
      const url = redis.url.replace("//", `//:${PASSWORD}@`);
      await stack.pulumi("config", "set", "--secret", "clouddb:rateLimitUrl", url);
      await stack.pulumi("config", "set", "clouddb:rateLimit", "8 per 2 s");
    }
    const outputs = await Promise.all(stacks.map(({ stack }) => stack.up()));
    for (const output of outputs) {
      expect(output).toMatch(/name\s*: "first"/);
      expect(output).not.toMatch(/Cannot share|canary/);
    }
    const requests = await api.requests();
    expect(requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(3);
    expect(requests.filter(({ status }) => status === 200)).toHaveLength(2 * COUNT + 2);
    expect(await api.services()).toHaveLength(2 * COUNT + 1);
    const admin = redis.admin.duplicate({ password: PASSWORD });
    expect(await admin.keys("*")).toEqual([windowKey(api.baseUrl, api.keyId)]);
    admin.disconnect();
  });
});
