// Requests per second of the simulator, with few and many services, in memory and with --data. The simulator runs in its
// own process; autocannon sends requests over loopback for a fixed time.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import autocannon from "autocannon";
import { printTable } from "./support/table.mjs";

const SIZES = [10, 100, 1000, 10_000];
const SECONDS = 2;
const CONNECTIONS = 10;
const CLI = new URL("../simulator/dist/cli.js", import.meta.url).pathname;

const rows = [];
for (const isPersistent of [false, true]) {
  for (const size of SIZES) rows.push(await measure(size, isPersistent));
}
printTable(
  ["state", "services", "read /s", "change /s", "scale /s", "create /s"],
  rows.map(({ isPersistent, size, figures }) => {
    const first = rows.find((row) => row.isPersistent === isPersistent).figures;
    const cells = figures.map((figure, index) => `${figure} (${(figure / first[index]).toFixed(2)})`);
    return [isPersistent ? "--data" : "memory", size, ...cells];
  }),
);

async function measure(size, isPersistent) {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-bench-"));
  const child = spawn(process.execPath, [CLI, ...(isPersistent ? ["--data", join(folder, "data")] : [])], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ready = JSON.parse(await new Promise((resolve) => createInterface(child.stdout).once("line", resolve)));
    const authorization = `Basic ${Buffer.from(`${ready.keyId}:${ready.keySecret}`).toString("base64")}`;
    const headers = { authorization, "content-type": "application/json" };
    const services = `/v1/organizations/${ready.organizationId}/services`;
    const shoot = (bound, method, path, body) =>
      autocannon({
        url: ready.baseUrl + path,
        method,
        headers: method === "GET" ? { authorization } : headers,
        ...(body && { body: JSON.stringify(body) }),
        connections: CONNECTIONS,
        ...bound,
      });
    const perSecond = async (...request) => {
      const { non2xx, errors, requests } = await shoot({ duration: SECONDS }, ...request);
      if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`);
      return Math.round(requests.average);
    };

    await shoot({ amount: size }, "POST", services, { name: "filler" });
    const created = await fetch(ready.baseUrl + services, { method: "POST", headers, body: '{"name":"measured"}' });
    const service = `${services}/${(await created.json()).result.service.id}`;
    await shoot({ amount: 1000 }, "GET", service);
    const figures = [
      await perSecond("GET", service),
      await perSecond("PATCH", service, { name: "changed", ipAccessList: { add: [{ source: "203.0.113.7" }] } }),
      await perSecond("PATCH", `${service}/replicaScaling`, { numReplicas: 5 }),
      await perSecond("POST", services, { name: "new" }),
    ];
    return { isPersistent, size, figures };
  } finally {
    child.kill("SIGTERM");
    await new Promise((resolve) => child.on("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}
