import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import tls from "node:tls";
import exampleSeed from "../../simulator/seeds/example.json";
import { EXAMPLE } from "../support/example";
import { certificateFile, freePort, serve } from "../support/local-server";
import { root } from "../support/root";
import { expectFailure, newStack, simulated, storedService } from "./support/stack";

/** Part of the fault matrix (tests/faults) on the real CLI: several faults in one update. */

const {
  service: SERVICE,
  otherService: SCALED,
  pipes: { kafka: PIPE },
} = EXAMPLE;
const OPTIONS = ["--continue-on-error", "--diff"];

const program = (existing = "") => `
  new clouddb.Service("lost", { region: "us-east-1", numReplicas: 3, ${existing} });
  new clouddb.Service("adopted", { existingServiceId: "${SERVICE}", ipAccessList: [{ source: "198.51.100.9" }] });
  new clouddb.ServiceScaling("size", { serviceId: "${SCALED}", numReplicas: 4 });
  new clouddb.Pipe("orders", { serviceId: "${SERVICE}", pipeId: "${PIPE}", name: "all orders" });
  new clouddb.Organization("us", { name: "Renamed" });
`;

test("after several faults in one update, each resource reports its state, and the next update finishes", async () => {
  const api = await simulated({ seed: exampleSeed as never });
  const stack = await newStack(api, program());
  const page = { kind: "status", status: 502, body: "<html>Bad gateway</html>" } as const;
  const noFault = { kind: "latency", milliseconds: 0 } as const;
  await api.faults(
    { method: "POST", effect: { kind: "reset", when: "after" } },
    { method: "PATCH", path: "replicaScaling", effect: { kind: "status", status: 403 } },
    { method: "PATCH", path: PIPE, times: 1, effect: { kind: "status", status: 409 } },
    { path: "/pipes/", effect: noFault },
    {
      method: "PATCH",
      path: SERVICE,
      times: 1,
      effect: { kind: "status", status: 504, when: "after" },
    },
    { path: "/services", effect: noFault },
    { method: "PATCH", times: 2, effect: page },
  );
  const output = await expectFailure(stack.up(...OPTIONS));
  expect(output).toMatch(
    /Creating service "lost" in organization .*: the connection was lost: ECONNRESET \(POST \/v1/,
  );
  expect(output).toMatch(/The service may still have been created, at 20\d\d-/);
  expect(output).toMatch(
    /Adopting scaling of service .*: the API returned 403, FAULT: .*Not done: numReplicas\./,
  );
  expect(output).toContain(
    "Grant the key the missing permission, or use another key: change CLOUDDB_KEY_ID",
  );
  expect(output).not.toMatch(/<html>|\n\s+at |undefined/);
  const sent = await api.requestNames();
  expect(sent.filter((text) => text.startsWith("POST"))).toHaveLength(1);
  expect(sent.filter((text) => text === "PATCH ")).toHaveLength(3);

  await api.faults();
  const lost = (await api.services()).find(({ name }) => name === "lost");
  stack.program(program(`existingServiceId: "${lost?.id}"`));
  await stack.up(...OPTIONS);
  // The scaling is not in the stack, because nothing of it was changed.
  expect((await api.requestNames()).sort()).toEqual([
    "GET /services/{id}",
    "GET /services/{id}",
    "PATCH /services/{id}/replicaScaling",
  ]);
  expect((await api.services()).filter(({ name }) => name === "lost")).toHaveLength(1);
  expect(await stack.preview()).toMatch(/Resources:\s+6 unchanged/);
});

test("a service whose endpoint does not answer is in the stack, and the next update waits again", async () => {
  const api = await simulated();
  const port = await freePort();
  const secure = tls.createServer({
    key: certificateFile("key.pem"),
    cert: certificateFile("certificate.pem"),
  });
  const at = (protocol: string, port: number) => ({ protocol, host: "127.0.0.1", port });
  const result = { endpoints: [at("mysql", port), at("https", await serve(secure))] };
  await api.faults({ method: "POST", effect: { kind: "answer", result } });
  const stack = await newStack(
    api,
    `exports.password = new clouddb.Service("db", { region: "us-east-1", waitForEndpoint: true }).password;`,
  );
  stack.environment({
    NODE_EXTRA_CA_CERTS: join(root, "tests/contract/certificate/certificate.pem"),
  });

  const interrupted = stack.started("up", "--yes", "--skip-preview");
  while (!interrupted.output().includes("Waiting until service")) await setTimeout(100);
  process.kill(interrupted.pid, "SIGINT");
  const { output } = await interrupted.ended;
  // The command may end before the first attempt does.
  const reason = `the command was canceled before it answered at mysql 127\\.0\\.0\\.1:${port} \\((ECONNREFUSED|no answer)\\)`;
  expect(output).toMatch(new RegExp(reason));
  const stored = await storedService(stack);
  const [service] = await api.services();
  expect(stored).toMatchObject({
    id: service?.id,
    initErrors: [expect.stringContaining("[CDB4015]")],
  });
  expect(await stack.preview()).toMatch(/1 to update/);
  const server = createServer((socket) => void socket.end("greeting"));
  await serve(server, port);
  await stack.up();
  expect((await storedService(stack)).outputs).toMatchObject({
    waitForEndpoint: true,
    password: expect.anything(),
  });
  expect(await api.requestNames()).toEqual(["POST /services"]);
});
