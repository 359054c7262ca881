import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { FaultRule } from "../../simulator/index";
import { accepts } from "../engine/backends/backend";
import { newStack, outcomeOf, type StoredResource, simulated } from "../engine/support/stack";
import { freePort } from "../support/local-server";
import { temporaryFolder } from "../support/temporary-folder";

/*
 * A creation, an update and a refresh through gateways that fail, then without them: nothing is
 * doubled, lost or untrue.
 */

type GatewayName = "nginx" | "haproxy" | "squid";

interface Situation {
  /** Lines of the gateway's configuration. */
  readonly lines?: string;
  /** The gateway's server, instead of the simulator: nothing listens on it. */
  readonly isDown?: true;
  /** The simulator's behavior behind the gateway. */
  readonly fault?: FaultRule;
}

const SLOW: FaultRule = { effect: { kind: "latency", milliseconds: 3000, when: "after" } };
const TRUNCATED: FaultRule = { effect: { kind: "truncated" } };
const PAGE =
  "string '<html><head><title>TITLE</title></head><body><h1>TITLE</h1><p>Ask &quot;the proxy team&quot;.</p></body></html>'";
const haproxyPage = (status: number, title: string) =>
  `http-request return status ${status} content-type text/html ${PAGE.replaceAll("TITLE", title)}`;

const SITUATIONS: Readonly<Record<GatewayName, Readonly<Record<string, Situation>>>> = {
  nginx: {
    "the server is down": { isDown: true },
    "the server is slow": { lines: "proxy_read_timeout 1s;", fault: SLOW },
    "the server truncates": { fault: TRUNCATED },
    "the body is too large": { lines: "client_max_body_size 16;" },
    "the headers are too large": {
      lines:
        "connection_pool_size 256; client_header_buffer_size 64; large_client_header_buffers 1 256;",
    },
    "it limits the rate without Retry-After": {
      lines: "limit_req zone=one; limit_req_status 429;",
    },
    "it redirects to HTTPS": { lines: "return 301 https://127.0.0.1:1$request_uri;" },
    "it redirects to a login": { lines: "return 302 /login;" },
    "it asks for a login": { lines: "auth_basic gateway; auth_basic_user_file /dev/null;" },
  },
  haproxy: {
    "the server is down": { isDown: true },
    "the server is slow": { fault: SLOW },
    "the server truncates": { fault: TRUNCATED },
    "the body is too large": {
      lines: "http-request deny deny_status 413 if METH_POST or { method PATCH }",
    },
    "the headers are too large": { lines: haproxyPage(431, "Request Header Fields Too Large") },
    "it limits the rate without Retry-After": {
      lines: `stick-table type ip size 1k expire 5s store http_req_rate(1s)
  http-request track-sc0 src
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 1 }`,
    },
    "it redirects to HTTPS": { lines: "http-request redirect scheme https code 308" },
    "it asks for a login": { lines: haproxyPage(407, "Proxy Authentication Required") },
  },
  squid: {
    "the server is down": { isDown: true },
    "the server is slow": { lines: "read_timeout 1 second", fault: SLOW },
    "the server truncates": { fault: TRUNCATED },
    "the body is too large": { lines: "request_body_max_size 16 bytes" },
    "it asks for a login": { lines: "http_access deny all" },
  },
};

const CONFIGURATIONS: Readonly<
  Record<GatewayName, (own: number, server: number, folder: string, lines: string) => string>
> = {
  nginx: (own, server, folder, lines) => `daemon off;
pid ${folder}/pid;
error_log /dev/null;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  limit_req_zone $server_name zone=one:1m rate=60r/m;
  server {
    listen 127.0.0.1:${own};
    location / {
      ${lines.includes("connection_pool") ? "" : lines}
      proxy_pass http://127.0.0.1:${server};
    }
    location /login { return 200 "<html><title>Log in</title></html>"; }
    ${lines.includes("connection_pool") ? lines : ""}
  }
}`,
  haproxy: (own, server, _, lines) => `defaults
  mode http
  timeout connect 1s
  timeout client 10s
  timeout server 1s
frontend gateway
  bind 127.0.0.1:${own}
  ${lines}
  default_backend servers
backend servers
  server simulator 127.0.0.1:${server}
`,
  squid: (
    own,
    server,
    folder,
    lines,
  ) => `http_port 127.0.0.1:${own} accel defaultsite=127.0.0.1 no-vhost
cache_peer 127.0.0.1 parent ${server} 0 no-query originserver login=PASSTHRU
pid_filename none
access_log none
cache_log /dev/null
coredump_dir ${folder}
shutdown_lifetime 0 seconds
connect_timeout 1 second
cache deny all
${lines}
http_access allow all
`,
};

const COMMANDS: Readonly<Record<GatewayName, (file: string) => readonly [string, ...string[]]>> = {
  nginx: (file) => ["/usr/sbin/nginx", "-c", file],
  haproxy: (file) => ["/usr/sbin/haproxy", "-db", "-f", file],
  squid: (file) => ["/usr/sbin/squid", "-N", "-f", file],
};

const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running.splice(0)) child.kill("SIGTERM");
});

/** Starts a gateway in front of a server; returns its port. */
async function startGateway(
  name: GatewayName,
  { lines = "", isDown }: Situation,
  server: number,
): Promise<number> {
  const folder = temporaryFolder(name);
  // squid becomes a user of its own.
  chmodSync(folder, 0o777);
  const own = await freePort();
  const file = join(folder, "configuration");
  writeFileSync(file, CONFIGURATIONS[name](own, isDown ? await freePort() : server, folder, lines));
  const [program, ...args] = COMMANDS[name](file);
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  running.push(child);
  while (!(await accepts(own))) {
    if (child.exitCode ?? child.signalCode)
      throw new Error(`${name} ended: ${child.exitCode ?? child.signalCode}`);
    await setTimeout(100);
  }
  return own;
}

/** Failures of requests that can be repeated last a minute each. */
const LIMIT_MS = 20 * 60_000;
/** Failures that no repetition can turn into a success. */
const IS_PERMANENT = /too large|redirects|login/;

const program = (numReplicas: number, others: string) => `
  new clouddb.Service("kept", { name: "kept", numReplicas: ${numReplicas} });
  ${others}`;

describe.each(Object.keys(SITUATIONS) as GatewayName[])("%s", (gateway) => {
  const isInstalled = existsSync(COMMANDS[gateway]("")[0]);
  const needs = isInstalled ? "" : `: skipped, ${gateway} is not installed`;

  (isInstalled ? test.concurrent : test.concurrent.skip).each(Object.entries(SITUATIONS[gateway]))(
    `nothing is doubled, lost or untrue if %s${needs}`,
    (name, situation) => expectNothingLost(gateway, name, situation),
    LIMIT_MS,
  );
});

async function expectNothingLost(
  gateway: GatewayName,
  name: string,
  situation: Situation,
): Promise<void> {
  const api = await simulated();
  const stack = await newStack(api, program(2, ""));
  stack.environment({ CLOUDDB_JOURNAL: "off" });
  await stack.up();
  const password = async () => {
    const exported = JSON.parse(await stack.pulumi("stack", "export", "--show-secrets"));
    return (exported.deployment.resources as StoredResource[]).find(({ urn }) =>
      urn.endsWith("::kept"),
    )?.outputs?.password;
  };
  const before = await password();

  const { port } = new URL(api.baseUrl);
  const own = await startGateway(gateway, situation, Number(port));
  stack.environment({ CLOUDDB_BASE_URL: api.baseUrl.replace(port, String(own)) });
  if (situation.fault) await api.faults(situation.fault);
  stack.program(program(3, 'new clouddb.Service("new", { name: "new", numReplicas: 3 });'));
  const up = await outcomeOf(stack.up("--continue-on-error"));
  const refresh = await outcomeOf(stack.refresh());
  await api.faults();

  const created = (await api.services()).filter(({ name }) => name === "new");
  const isUncertain = /may still have been created/.test(up.output);
  expect(created.length).toBeLessThanOrEqual(1);
  if (up.code === 0) expect(created).toHaveLength(1);
  else if (created.length > 0) expect(up.output).toContain("may still have been created");
  for (const { code, output } of [up, refresh]) {
    expect(output).not.toMatch(/<\/?[a-z]|&quot;|\n {4}at |undefined|\[object/i);
    expect(output).not.toContain(api.keySecret);
    if (code !== 0) expect(output).toMatch(/\[CDB\d{4}\]/);
    if (IS_PERMANENT.test(name)) expect(output).not.toMatch(/run the same command again/i);
  }
  expect(await password()).toEqual(before);

  // The action that the message asks of the user.
  const existing = isUncertain && created[0] ? `existingServiceId: "${created[0].id}", ` : "";
  stack.environment({ CLOUDDB_BASE_URL: api.baseUrl });
  stack.program(
    program(3, `new clouddb.Service("new", { ${existing}name: "new", numReplicas: 3 });`),
  );
  await stack.up();
  const services = (await api.services()).map(({ name, numReplicas }) => `${name} ${numReplicas}`);
  expect(services.sort()).toEqual(["kept 3", "new 3"]);
  await stack.preview("--expect-no-changes");
}
