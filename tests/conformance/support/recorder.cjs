// Loaded into a process before all else: sets its clocks off by an hour, and records its HTTP requests in a file of the
// folder RECORDS. Their times are those of a clock that all processes of a machine share.
const { writeFileSync } = require("node:fs");
const http = require("node:http");
const { join } = require("node:path");

const { NAME, RECORDS } = process.env;
const offsetMs = ((NAME.charCodeAt(0) % 3) - 1) * 60 * 60 * 1000;
const { now } = Date;
const { timeOrigin } = performance;
Date.now = () => now() + offsetMs;
Object.defineProperty(performance, "timeOrigin", { value: timeOrigin + offsetMs });

const clock = () => Number(process.hrtime.bigint()) / 1e6;
const calls = [];
const { request } = http;
http.request = (...args) => {
  const start = clock();
  return request(...args).once("response", ({ req }) => calls.push({ path: req.path, start, end: clock() }));
};
process.on("exit", () => writeFileSync(join(RECORDS, NAME), JSON.stringify(calls)));
