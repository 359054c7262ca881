import seed from "../../simulator/seeds/example.json";
import { EXAMPLE } from "../support/example";
import { expectOk, newStack, simulated } from "./support/stack";

const PROGRAM = `
  for (let i = 0; i < 3; i++) new clouddb.Service("db-" + i, { region: "us-east-1" });
  exports.name = clouddb.getServiceOutput({ serviceId: "${EXAMPLE.service}" }).name;
`;

test("with --debug, Pulumi shows a line for each request, and without it none", async () => {
  const api = await simulated({ seed: seed as never });
  const stack = await newStack(api, PROGRAM);
  const linesIn = (output: string) => [...new Set(output.match(/(GET|POST) .* \[CDB3013\]/g))];

  const created = linesIn(await expectOk(stack.up("--debug")));
  expect(await api.requests()).toHaveLength(created.length);
  expect(created.map((line) => line.slice(0, line.indexOf(" "))).sort()).toEqual(["GET", "POST", "POST", "POST"]);
  for (const line of created) expect(line).toMatch(/: 200 after \d+\.\d\d s, attempt 1, request id \S+\. \[CDB3013\]$/);

  expect(linesIn(await expectOk(stack.refresh()))).toEqual([]);
  expect(await api.requests()).toHaveLength(3);
});
