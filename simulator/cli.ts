#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { startSimulator } from "./index";

const USAGE = `clouddb-simulator: the cloud database API as a local server

  --port N           where to listen on this machine (default: a free port)
  --key-id TEXT      the API key's id (default: simulator)
  --key-secret TEXT  its secret (default: made at random)
  --access-token TEXT  the observability interface's token (default: made at random)
  --seed FILE        what there is at the start (default: one organization without services);
                     seeds/example.json of this package is one to begin with
  --tier TIER        BASIC, SCALE or ENTERPRISE (default: SCALE)
  --unpaid           the limits of an organization that does not pay

Prints one line of JSON when it is ready: where it is and what to log in with. Ends on SIGTERM and SIGINT.`;

const TIERS = ["BASIC", "SCALE", "ENTERPRISE"] as const;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      "key-id": { type: "string" },
      "key-secret": { type: "string" },
      "access-token": { type: "string" },
      seed: { type: "string" },
      tier: { type: "string", default: "SCALE" },
      unpaid: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const tier = TIERS.find((each) => each === values.tier);
  const port = Number(values.port);
  if (tier === undefined) throw new Error(`--tier ${values.tier} is not one of ${TIERS.join(", ")}`);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`--port ${values.port} is no port`);

  const { close, ...ready } = await startSimulator({
    port,
    organization: { tier, paid: !values.unpaid },
    ...(values["key-id"] !== undefined && { keyId: values["key-id"] }),
    ...(values["key-secret"] !== undefined && { keySecret: values["key-secret"] }),
    ...(values["access-token"] !== undefined && { accessToken: values["access-token"] }),
    ...(values.seed !== undefined && { seed: JSON.parse(readFileSync(values.seed, "utf8")) }),
  });
  console.log(JSON.stringify(ready));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void close());
}

main().catch((error: NodeJS.ErrnoException) => {
  const inUse = error.code === "EADDRINUSE" ? "the port is in use; choose another with --port" : error.message;
  console.error(`clouddb-simulator: ${inUse}`);
  process.exitCode = 1;
});
