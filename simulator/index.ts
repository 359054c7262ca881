import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer, type ServerOptions } from "./server";
import { standardOrganization } from "./world";

export type { FaultEffect, FaultRule } from "./faults";
export type { JournalEntry } from "./journal";
export type { Seed } from "./seed";

export interface SimulatorOptions extends Partial<ServerOptions> {
  /** 0, the default, takes a free one. */
  readonly port?: number;
}

/** What a client needs to talk to a simulator that runs. */
export interface ReadyLine {
  readonly baseUrl: string;
  readonly observabilityUrl: string;
  readonly organizationId: string;
  readonly keyId: string;
  readonly keySecret: string;
  readonly accessToken: string;
  readonly page: string;
}

export interface RunningSimulator extends ReadyLine {
  readonly close: () => Promise<void>;
}

/** Starts a simulator on this machine; it answers no other. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const secret = () => randomBytes(16).toString("hex");
  const { port = 0, keyId = "simulator", keySecret = secret(), accessToken = secret(), ...rest } = options;
  const app = createServer({ keyId, keySecret, accessToken, ...rest });
  await app.listen({ host: "127.0.0.1", port });
  const address = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${address.port}`;
  return {
    baseUrl: url,
    observabilityUrl: url,
    organizationId: rest.seed?.organizations?.[0]?.id ?? standardOrganization(rest.organization).id,
    keyId,
    keySecret,
    accessToken,
    page: `${url}/`,
    close: () => app.close(),
  };
}
