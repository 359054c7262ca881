#!/usr/bin/env bash
# @grpc/grpc-js 1.14.7, axios 1.21.1, undici 7.30.2 (EnvHttpProxyAgent), on Node.js 20.20.2
# Behavior: three clients of one process read `no_proxy` in three ways, here for a connection to
# 127.0.0.1 with a lower-case `http_proxy`. grpc-js knows neither a space after the comma nor `*`,
# and sends the connection to the proxy. undici knows no networks such as 127.0.0.0/8. axios takes
# all of these. Pulumi programs talk to the engine with grpc-js over loopback, so a value that suits
# the HTTP clients can still send this connection to the proxy. Single addresses, without
# spaces, work in all three.
# Output seen:
#   127.0.0.1: grpc direct, axios direct, undici direct
#   localhost, 127.0.0.1: grpc proxy, axios direct, undici direct
#   *: grpc proxy, axios direct, undici direct
#   127.0.0.0/8: grpc direct, axios direct, undici proxy
. "$(dirname "$0")/lib.sh"

install @grpc/grpc-js@1.14.7 axios@1.21.1 undici@7.30.2
cat >client.mjs <<'JS'
import grpc from "@grpc/grpc-js";
import axios from "axios";
import { EnvHttpProxyAgent, fetch } from "undici";

const [client, address] = process.argv.slice(2);
const url = `http://${address}`;
if (client === "grpc")
  new grpc.Client(address, grpc.credentials.createInsecure()).waitForReady(Infinity, () => {});
if (client === "axios") axios.get(url);
if (client === "undici") fetch(url, { dispatcher: new EnvHttpProxyAgent() });
JS
cat >compare.mjs <<'JS'
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

const servers = { direct: createServer(), proxy: createServer() };
for (const server of Object.values(servers)) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}
const addressOf = (server) => `127.0.0.1:${server.address().port}`;

/** Tells which server a client connects to first. */
async function route(client, noProxy) {
  const first = Promise.race(
    Object.entries(servers).map(([name, server]) => once(server, "connection").then(() => name)),
  );
  const http_proxy = `http://${addressOf(servers.proxy)}`;
  const env = { PATH: process.env.PATH, http_proxy, no_proxy: noProxy };
  const args = ["client.mjs", client, addressOf(servers.direct)];
  const child = spawn(process.execPath, args, { env });
  const name = await first;
  child.kill("SIGKILL");
  await once(child, "exit");
  return `${client} ${name}`;
}

for (const noProxy of ["127.0.0.1", "localhost, 127.0.0.1", "*", "127.0.0.0/8"]) {
  const routes = [];
  for (const client of ["grpc", "axios", "undici"]) routes.push(await route(client, noProxy));
  console.log(`${noProxy}: ${routes.join(", ")}`);
}
process.exit();
JS

equals "$(node compare.mjs)" "127.0.0.1: grpc direct, axios direct, undici direct
localhost, 127.0.0.1: grpc proxy, axios direct, undici direct
*: grpc proxy, axios direct, undici direct
127.0.0.0/8: grpc direct, axios direct, undici proxy"
