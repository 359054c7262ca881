import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import seed from "../../simulator/seeds/example.json";
import { ADAPTER } from "../support/adapters/adapter";
import { EXAMPLE } from "../support/example";
import { expectFailure, expectOk, newStack, simulated } from "./support/stack";

/** `clouddb:logRequests` with the real CLI: a plugin's last line arrives although the command is over. */

const PROGRAM = `
  const options = { protect: false, retainOnDelete: true };
  for (let i = 0; i < 14; i++) new clouddb.Service("db-" + i, { region: "us-east-1" }, options);
  exports.name = clouddb.getServiceOutput({ serviceId: pulumi.secret("${EXAMPLE.service}") }).name;
`;

/** The summaries that a command prints. Without a final list, each appears as it comes, else also in that list. */
const summariesIn = (output: string) => [...new Set(output.match(/API requests: .* \[CDB3014\]/g))].sort();

test("an up under a rate limit logs each request and its waits, and each process ends with a summary", async () => {
  const api = await simulated({ seed: seed as never, rateLimit: { requests: 10, seconds: 5 } });
  const stack = await newStack(api, PROGRAM);
  const file = join(stack.folder, "requests.jsonl");

  stack.environment({ CLOUDDB_LOG_REQUESTS: "all" });
  const output = await expectOk(stack.up("--parallel", "16"));
  const sent = await api.requests();
  const lines = new Set(output.match(/\S+Z (GET|POST) .* \[CDB3013\]/g));
  expect(lines.size).toBe(sent.length);
  const statuses = [...lines].map((line) => /: (\d{3})/.exec(line)?.[1]).sort();
  expect(statuses).toEqual(sent.map(({ status }) => String(status)).sort());
  expect(output).toMatch(
    /POST .*: 200 after .*, attempt 2, waited \d\.\d\d s for the rate limit, request id .*CDB3013/,
  );
  // The program marks the id that the function takes as a secret; Pulumi does not tell the native plugin.
  if (ADAPTER === "dynamic") expect(output).not.toContain(EXAMPLE.service);
  // With dynamic resources, the program sends the requests of its functions itself.
  expect(summariesIn(output)).toEqual(
    ADAPTER === "native"
      ? [expect.stringMatching(/: \d+ \(1 GET, \d+ POST\);.*, [1-9]\d*\.\d\d s waiting for the rate limit/)]
      : [
          expect.stringMatching(/: 1 \(1 GET\);/),
          expect.stringMatching(/: (\d+) \(\1 POST\);.*, [1-9]\d*\.\d\d s waiting for the rate limit/),
        ],
  );

  stack.environment({ CLOUDDB_LOG_REQUESTS: file });
  const refreshed = await expectOk(stack.refresh());
  const refreshSent = await api.requests();
  const entries = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(entries.map((line) => JSON.parse(line).status).sort()).toEqual(refreshSent.map(({ status }) => status).sort());
  expect(refreshed).not.toContain("CDB3013");
  expect(summariesIn(refreshed)).toHaveLength(1);

  stack.environment({ CLOUDDB_LOG_REQUESTS: join(stack.folder, "missing", "requests.jsonl") });
  const unwritten = await expectOk(stack.refresh());
  expect(unwritten.match(/Cannot log requests in .*: ENOENT\. The command continues/g)).toHaveLength(1);

  stack.environment({ CLOUDDB_LOG_REQUESTS: "loud" });
  expect(await expectFailure(stack.refresh())).toMatch(
    /clouddb:logRequests \(CLOUDDB_LOG_REQUESTS\) is invalid: must be off, summary, all or an absolute path\./,
  );
  stack.environment({ CLOUDDB_LOG_REQUESTS: undefined });
  expect(await expectOk(stack.refresh())).not.toMatch(/CDB301[34]/);
});

test("a command that Ctrl-C ends while requests wait for the rate limit ends with a summary, too", async () => {
  const api = await simulated({ rateLimit: { requests: 2, seconds: 300 } });
  const stack = await newStack(api, PROGRAM.replace(/exports.*/, ""));
  stack.environment({ CLOUDDB_LOG_REQUESTS: "summary" });
  const up = stack.started("up", "--yes", "--skip-preview");
  while (!up.output().includes("CDB3008")) await setTimeout(100);
  process.kill(up.pid, "SIGINT");
  const { output } = await up.ended;
  expect(output).toContain("[CDB3006]");
  expect(summariesIn(output)).toEqual([expect.stringMatching(/refused by the rate limit: [1-9]/)]);
});
