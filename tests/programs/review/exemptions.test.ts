import { expectFailure, expectOk, newStack, simulated } from "../../engine/support/stack";
import { configured } from "./support/pack";

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const PROGRAM = `
  new clouddb.Service("analytics", {
    minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
    ipAccessList: [{ source: "0.0.0.0/0", description: "everyone" }],
  });
`;
const exempting = (until: string, more = {}) => ({
  exemptions: { list: [{ policy: "no-open-access", resource: "analytics", reason: "partner", until, ...more }] },
});

test("an exempted violation is an advisory until its last day, and a violation afterwards", async () => {
  const stack = await newStack(await simulated(), PROGRAM);
  const exempted = await expectOk(stack.preview(...configured(stack, exempting(inDays(90)))));
  expect(exempted).toContain("[advisory]  no-open-access  (pulumi-nodejs:dynamic/clouddb:Service: analytics)");
  expect(exempted).toContain(`exempted until ${inDays(90)} (partner): Service "analytics": 0.0.0.0/0 in ipAccessList`);
  expect(exempted).not.toContain("[mandatory]");
  for (const settings of [exempting(inDays(-1)), exempting(inDays(90), { resource: "orders" })])
    expect(await expectFailure(stack.preview(...configured(stack, settings)))).toContain("[mandatory]  no-open-access");
});

test("invalid exemptions are refused before anything runs", async () => {
  const api = await simulated();
  const stack = await newStack(api, PROGRAM);
  const refuse = (settings: object) => expectFailure(stack.preview(...configured(stack, settings)));
  expect(await refuse(exempting(inDays(400)))).toMatch(/exemptions\.list\.0\.until: \S+ is more than a year ahead/);
  expect(await refuse(exempting(inDays(9), { policy: "no-access" }))).toContain("unknown policy no-access; use one of");
  expect(await refuse(exempting(inDays(9), { stack: "dev" }))).toMatch(/stack/);
  expect(await api.requests()).toEqual([]);
});
