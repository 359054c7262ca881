// Loaded into the plugin's process: stops it for good at one point of a creation, for a test that
// kills it there.
const { existsSync, writeFileSync } = require("node:fs");
const promises = require("node:fs/promises");
const http = require("node:http");

const { CLOUDDB_PAUSE_AT: point, CLOUDDB_PAUSE_FILE: file } = process.env;

function reach(name) {
  if (name !== point || existsSync(file)) return;
  writeFileSync(file, String(process.pid));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

// The records of the first creation are 1 and 2; record 3 begins the second creation.
let records = 0;
for (const name of ["link", "rename"]) {
  const publish = promises[name];
  promises[name] = async (from, to) => {
    const isRecord = String(to).includes("clouddb-creations");
    if (isRecord) reach(`before record ${++records}`);
    await publish(from, to);
    if (isRecord) reach(`after record ${records}`);
  };
}

const { emit } = http.ClientRequest.prototype;
http.ClientRequest.prototype.emit = function (event, ...args) {
  if (event === "response" && this.method === "POST") reach("at the response");
  const result = emit.call(this, event, ...args);
  if (event === "finish" && this.method === "POST") reach("after the request");
  if (event === "finish" && this.method === "GET") reach("after a read");
  return result;
};
