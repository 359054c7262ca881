#!/usr/bin/env bash
# axios 1.21.1, @grpc/grpc-js 1.14.7, undici 7.30.2 (EnvHttpProxyAgent), on Node.js 20.20.2
# Behavior: the password of a proxy in a URL has to be percent-encoded where it holds characters
# such as @ or /. grpc-js and undici decode it before they send it, as curl does. axios sends the
# encoded text, for plain requests and for tunnels: with the one variable that suits all other
# clients, the proxy refuses axios alone. A password that suits axios has no spelling in the URL if
# it holds an @. What works is to set Proxy-Authorization on the request or the CONNECT.
# Output seen:
#   me:a%40b%2Fc: grpc me:a@b/c, axios me:a%40b%2Fc, axios of https me:a%40b%2Fc, undici me:a@b/c
#   me:100%25: grpc me:100%, axios me:100%25, axios of https me:100%25, undici me:100%
. "$(dirname "$0")/lib.sh"

install @grpc/grpc-js@1.14.7 axios@1.21.1 undici@7.30.2
cat >client.mjs <<'JS'
import grpc from "@grpc/grpc-js";
import axios from "axios";
import { EnvHttpProxyAgent, fetch } from "undici";

const [client] = process.argv.slice(2);
const url = "http://example.test";
if (client === "grpc")
  new grpc.Client("example.test:80", grpc.credentials.createInsecure()).waitForReady(Infinity, () => {});
if (client === "axios") axios.get(url);
if (client === "axios of https") axios.get("https://example.test");
if (client === "undici") fetch(url, { dispatcher: new EnvHttpProxyAgent() });
JS
cat >compare.mjs <<'JS'
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");

/** The login that a client sends to the proxy. */
async function login(client, text) {
  const received = once(server, "connection").then(([socket]) => once(socket, "data"));
  const proxy = `http://${text}@127.0.0.1:${server.address().port}`;
  const env = { PATH: process.env.PATH, http_proxy: proxy, https_proxy: proxy };
  const child = spawn(process.execPath, ["client.mjs", client], { env });
  const [, sent] = /^proxy-authorization: Basic (\S+)/im.exec(String(await received)) ?? [];
  child.kill("SIGKILL");
  await once(child, "exit");
  return `${client} ${Buffer.from(sent ?? "", "base64")}`;
}

for (const text of ["me:a%40b%2Fc", "me:100%25"]) {
  const logins = [];
  for (const client of ["grpc", "axios", "axios of https", "undici"])
    logins.push(await login(client, text));
  console.log(`${text}: ${logins.join(", ")}`);
}
process.exit();
JS

equals "$(node compare.mjs)" "me:a%40b%2Fc: grpc me:a@b/c, axios me:a%40b%2Fc, axios of https me:a%40b%2Fc, undici me:a@b/c
me:100%25: grpc me:100%, axios me:100%25, axios of https me:100%25, undici me:100%"
