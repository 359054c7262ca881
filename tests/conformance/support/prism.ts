import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { RunningSimulator } from "../../../simulator/index";
import versions from "../../../versions.json";
import { freePort } from "../../support/free-port";
import { root } from "../../support/root";
import { conclude } from "./conclude";

/** The command, if all requests and responses are to be compared with the OpenAPI document: `npm run conformance prism`. */
const { CLOUDDB_PRISM: prism } = process.env;

interface Proxy {
  readonly process: ChildProcess;
  log: string;
}

const proxies: Proxy[] = [];

/** A simulator's addresses, those of Prism in front of it if it is to judge. */
export async function behindPrism({ baseUrl, observabilityUrl }: RunningSimulator) {
  if (prism === undefined) return { baseUrl, observabilityUrl };
  const port = String(await freePort());
  const args = ["proxy", join(root, "simulator/openapi.json"), baseUrl, "--host", "127.0.0.1", "--port", port];
  const child = spawn(prism, args, { stdio: ["ignore", "pipe", "inherit"] });
  const proxy: Proxy = { process: child, log: "" };
  proxies.push(proxy);
  const logged = (text: string) =>
    new Promise<void>((resolve, reject) => {
      child.on("exit", (code) => reject(new Error(`Prism ended with ${code}`)));
      child.stdout.on("data", () => proxy.log.includes(text) && resolve());
    });
  child.stdout.on("data", (chunk) => {
    proxy.log += chunk;
  });
  await logged("Prism is listening on");
  const url = `http://127.0.0.1:${port}`;
  // The judge finds what is wrong.
  const found = logged("Violation: request Selected route not found");
  await fetch(`${url}/v1/unknown`);
  await found;
  await fetch(`${baseUrl}/__admin/requests`, { method: "DELETE" });
  proxy.log = "";
  const behind = (address: string) => address.replace(/^http:\/\/[^/]+/, url);
  return { baseUrl: behind(baseUrl), observabilityUrl: behind(observabilityUrl) };
}

afterAll(() => {
  if (proxies.length === 0) return;
  const log = proxies.map((proxy) => proxy.log).join("");
  for (const proxy of proxies.splice(0)) proxy.process.kill();
  const material = { source: "@stoplight/prism-cli on npm", version: versions.npmTools["@stoplight/prism-cli"] };
  const requests = log.match(/> Forwarding ".*/g) ?? [];
  conclude({ suite: "prism", ...material }, requests.length, log.match(/Violation: .*/g) ?? []);
});
