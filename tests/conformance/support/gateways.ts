import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { FaultRule } from "../../../simulator/index";
import { freePort } from "../../support/free-port";
import { temporaryFolder } from "../../support/temporary-folder";

/** Real gateways in front of the simulator, each from a Debian package. */

export type GatewayName = "nginx" | "haproxy" | "squid";

export interface Situation {
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

export const SITUATIONS: Readonly<Record<GatewayName, Readonly<Record<string, Situation>>>> = {
  nginx: {
    "the server is down": { isDown: true },
    "the server is slow": { lines: "proxy_read_timeout 1s;", fault: SLOW },
    "the server truncates": { fault: TRUNCATED },
    "the body is too large": { lines: "client_max_body_size 16;" },
    "the headers are too large": {
      lines: "connection_pool_size 256; client_header_buffer_size 64; large_client_header_buffers 1 256;",
    },
    "it limits the rate without Retry-After": { lines: "limit_req zone=one; limit_req_status 429;" },
    "it redirects to HTTPS": { lines: "return 301 https://127.0.0.1:1$request_uri;" },
    "it redirects to a login": { lines: "return 302 /login;" },
    "it asks for a login": { lines: "auth_basic gateway; auth_basic_user_file /dev/null;" },
  },
  haproxy: {
    "the server is down": { isDown: true },
    "the server is slow": { fault: SLOW },
    "the server truncates": { fault: TRUNCATED },
    "the body is too large": { lines: "http-request deny deny_status 413 if METH_POST or { method PATCH }" },
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
  squid: (own, server, folder, lines) => `http_port 127.0.0.1:${own} accel defaultsite=127.0.0.1 no-vhost
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

/** The version of a gateway, or undefined if it is not installed. */
export function versionOf(name: GatewayName): string | undefined {
  const [program] = COMMANDS[name]("");
  try {
    // nginx prints its version as an error.
    const output = execFileSync("sh", ["-c", `${program} -v 2>&1`], { encoding: "utf8" });
    return /\d+\.[\d.]+/.exec(output)?.[0];
  } catch {
    return undefined;
  }
}

/** Starts a gateway in front of a server; returns its port. */
export async function startGateway(
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
  while (!(await isListening(own))) {
    if (child.exitCode ?? child.signalCode) throw new Error(`${name} ended: ${child.exitCode ?? child.signalCode}`);
    await setTimeout(100);
  }
  return own;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
