import { expectOk, newStack, type StoredResource, simulated } from "../engine/support/stack";
import { conclude } from "./support/conclude";
import { type GatewayName, SITUATIONS, type Situation, startGateway, versionOf } from "./support/gateways";

/*
 * A creation, an update and a refresh through gateways that fail, then without them: nothing is doubled, lost or
 * untrue.
 */

/** Failures of requests that can be repeated last a minute each. */
const LIMIT_MS = 20 * 60_000;
const AT_ONCE = 4;
/** Failures that no repetition can turn into a success. */
const IS_PERMANENT = /too large|redirects|login/;

const program = (numReplicas: number, others: string) => `
  new clouddb.Service("kept", { name: "kept", numReplicas: ${numReplicas} });
  ${others}`;

describe.each(Object.keys(SITUATIONS) as GatewayName[])("%s", (gateway) => {
  const version = versionOf(gateway);
  const needs = version === undefined ? `: skipped, ${gateway} is not installed` : "";

  (version === undefined ? test.skip : test)(
    `nothing is doubled, lost or untrue${needs}`,
    async () => {
      const failures: string[] = [];
      const left = Object.entries(SITUATIONS[gateway]);
      const work = async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          const [name, situation] = next;
          const found = await problemsOf(gateway, name, situation);
          failures.push(...found.map((problem) => `${name}: ${problem}`));
        }
      };
      const cases = left.length;
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      conclude({ source: `${gateway} of Debian`, version: version ?? "" }, cases, failures);
    },
    LIMIT_MS,
  );
});

/** A problem that a situation shows. */
async function problemsOf(gateway: GatewayName, name: string, situation: Situation): Promise<string[]> {
  const problems: string[] = [];
  const check = (isTrue: boolean, problem: string, output = "") => {
    if (!isTrue) problems.push(output === "" ? problem : `${problem}:\n${output}`);
  };
  const api = await simulated();
  const stack = await newStack(api, program(2, ""));
  stack.environment({ CLOUDDB_JOURNAL: "off" });
  await expectOk(stack.up());
  const password = async () => {
    const exported = JSON.parse(await expectOk(stack.pulumi("stack", "export", "--show-secrets")));
    return (exported.deployment.resources as StoredResource[]).find(({ urn }) => urn.endsWith("::kept"))?.outputs
      ?.password;
  };
  const before = JSON.stringify(await password());

  const { port } = new URL(api.baseUrl);
  const own = await startGateway(gateway, situation, Number(port));
  stack.environment({ CLOUDDB_BASE_URL: api.baseUrl.replace(port, String(own)) });
  if (situation.fault) await api.faults(situation.fault);
  stack.program(program(3, 'new clouddb.Service("new", { name: "new", numReplicas: 3 });'));
  const up = await stack.up("--continue-on-error");
  const refresh = await stack.refresh();
  await api.faults();

  const created = (await api.services()).filter(({ name }) => name === "new");
  const isUncertain = /may still have been created/.test(up.output);
  check(created.length <= 1, "the service was created twice", up.output);
  check(up.code !== 0 || created.length === 1, "a creation that did not happen succeeded", up.output);
  check(isUncertain || up.code === 0 || created.length === 0, "nobody knows the new service", up.output);
  for (const { code, output } of [up, refresh]) {
    check(!/<\/?[a-z]|&quot;|\n {4}at |undefined|\[object/i.test(output), "it is not readable", output);
    check(!output.includes(api.keySecret), "a secret is printed");
    check(code === 0 || /\[CDB\d{4}\]/.test(output), "a failure has no code", output);
    check(!IS_PERMANENT.test(name) || !/run the same command again/i.test(output), "the advice cannot help", output);
  }
  check(JSON.stringify(await password()) === before, "a password was lost");
  if (process.env.CLOUDDB_SHOW_OUTPUT) console.log(`${gateway}, ${name}\n${up.output}\n${refresh.output}`);

  // The action that the message asks of the user.
  const existing = isUncertain && created[0] ? `existingServiceId: "${created[0].id}", ` : "";
  stack.environment({ CLOUDDB_BASE_URL: api.baseUrl });
  stack.program(program(3, `new clouddb.Service("new", { ${existing}name: "new", numReplicas: 3 });`));
  const repaired = await stack.up();
  check(repaired.code === 0, "the next update fails", repaired.output);
  const services = await api.services();
  const names = services.map(({ name, numReplicas }) => `${name} ${numReplicas}`).sort();
  check(names.join() === "kept 3,new 3", `at the end, the server has ${names}`);
  const preview = await stack.preview("--expect-no-changes");
  check(preview.code === 0, "it does not converge", preview.output);
  return problems;
}
