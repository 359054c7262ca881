import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { RunningSimulator } from "../../../simulator/index";
import versions from "../../../versions.json";
import { freePort } from "../../support/free-port";
import { root } from "../../support/root";
import { conclude } from "./conclude";

/** The command, if all requests and responses are to be compared with the OpenAPI document: `npm run conformance prism`. */
const { CLOUDDB_PRISM: prism } = process.env;
const proxies: ChildProcess[] = [];
let log = "";

/** A simulator's addresses, those of Prism in front of it if it is to judge. */
export async function behindPrism({ baseUrl, observabilityUrl }: RunningSimulator) {
  if (prism === undefined) return { baseUrl, observabilityUrl };
  const port = String(await freePort());
  const args = ["proxy", join(root, "simulator/openapi.json"), baseUrl, "--host", "127.0.0.1", "--port", port];
  const proxy = spawn(prism, args, { stdio: ["ignore", "pipe", "inherit"] });
  proxies.push(proxy);
  await new Promise<void>((resolve, reject) => {
    proxy.on("exit", (code) => reject(new Error(`Prism ended with ${code}`)));
    proxy.stdout.on("data", (chunk) => {
      log += chunk;
      if (log.includes(`Prism is listening on http://127.0.0.1:${port}`)) resolve();
    });
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    baseUrl: baseUrl.replace(/^http:\/\/[^/]+/, url),
    observabilityUrl: observabilityUrl.replace(/^http:\/\/[^/]+/, url),
  };
}

afterAll(() => {
  for (const proxy of proxies.splice(0)) proxy.kill();
  if (log === "") return;
  const material = { source: "@stoplight/prism-cli on npm", version: versions.npmTools["@stoplight/prism-cli"] };
  const requests = log.match(/> Forwarding ".*/g) ?? [];
  conclude({ suite: "prism", ...material }, requests.length, log.match(/Violation: .*/g) ?? []);
});
