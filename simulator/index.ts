import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { complaintAbout } from "./api/validation";
import type { RateLimit } from "./faults/rate-limit";
import type { FaultRule } from "./faults/rules";
import { isLoopback } from "./loopback";
import { createServer } from "./server";
import { type Credentials, createSimulation } from "./simulation";
import { openMemory } from "./world/memory";
import type { Seed } from "./world/seed";
import { type Organization, standardOrganization } from "./world/world";

export type { JournalEntry } from "./admin/journal";
export type { FaultEffect } from "./faults/effects";
export type { RateLimit } from "./faults/rate-limit";
export type { FaultRule } from "./faults/rules";
export type { Seed } from "./world/seed";

export interface SimulatorOptions extends Partial<Credentials> {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** 127.0.0.1 by default. Elsewhere than on this machine, all credentials have to be given. */
  readonly host?: string;
  /** A folder that keeps everything across restarts; without it, nothing outlives the process. */
  readonly data?: string;
  readonly organization?: Partial<Pick<Organization, "id" | "tier" | "paid">>;
  /** What there is at the start, instead of one empty organization. */
  readonly seed?: Seed;
  /** Rules that come before the seed's. */
  readonly faults?: readonly FaultRule[];
  /** Instead of the seed's. */
  readonly rateLimit?: RateLimit;
  /** Milliseconds since 1970, for tests with a time of their own; this machine's clock by default. */
  readonly now?: () => number;
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
  /** Whether the folder of `data` had a world already, so that the seed's was not used. */
  readonly isResumed: boolean;
  readonly close: () => Promise<void>;
}

/** Starts a simulator, on this machine alone unless told otherwise. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const { port = 0, host = "127.0.0.1", data, now = Date.now } = options;
  refuseUnusable(options);
  refuseOpenHost(host, options);
  const memory = data === undefined ? undefined : await openMemory(data);
  try {
    const kept = await memory?.load();
    const credentials = credentialsFrom(options, kept?.credentials);
    const simulation = createSimulation({ seed: seedFrom(options), credentials, kept: kept?.world, memory, now });
    if (kept) await memory?.keepCredentials(credentials);
    else await memory?.replace(simulation.world, credentials);

    const app = createServer(simulation);
    await app.listen({ host, port });
    const url = urlOf(app.server.address() as AddressInfo);
    return {
      baseUrl: url,
      observabilityUrl: url,
      organizationId: [...simulation.world.organizations.keys()][0] ?? "",
      ...credentials,
      page: `${url}/`,
      isResumed: kept !== undefined,
      async close() {
        await app.close();
        await memory?.close();
      },
    };
  } catch (error) {
    await memory?.close();
    throw error;
  }
}

function seedFrom({ seed, organization, faults = [], rateLimit }: SimulatorOptions): Seed {
  const { services, warehouses, ...standard } = standardOrganization(organization);
  const world: Seed = seed ?? { organizations: [standard] };
  return { ...world, faults: [...faults, ...(world.faults ?? [])], ...(rateLimit && { rateLimit }) };
}

/** What is given counts, then what was kept, then what is made at random. */
function credentialsFrom(given: Partial<Credentials>, kept: Credentials | undefined): Credentials {
  const secret = () => randomBytes(16).toString("hex");
  return {
    keyId: given.keyId ?? kept?.keyId ?? "simulator",
    keySecret: given.keySecret ?? kept?.keySecret ?? secret(),
    accessToken: given.accessToken ?? kept?.accessToken ?? secret(),
  };
}

/** Mistakes that the seed would be blamed for otherwise. */
function refuseUnusable({ faults = [], rateLimit, keyId, keySecret, accessToken }: SimulatorOptions): void {
  const credentials = Object.entries({ keyId, keySecret, accessToken }).filter(([, value]) => value !== undefined);
  const complaints = {
    faults: complaintAbout("Faults", { faults }),
    "rate limit": rateLimit && complaintAbout("RateLimit", rateLimit),
    credentials: complaintAbout("Credentials", Object.fromEntries(credentials)),
  };
  for (const [name, complaint] of Object.entries(complaints)) {
    if (complaint !== undefined) throw new Error(`the ${name} cannot be used: ${complaint}`);
  }
}

function refuseOpenHost(host: string, { keyId, keySecret, accessToken }: SimulatorOptions): void {
  if (isLoopback(host) || (keyId && keySecret && accessToken)) return;
  throw new Error(`on ${host}, others could reach it: give it a --key-id, --key-secret and --access-token of your own`);
}

/** Where this machine reaches it. */
function urlOf({ address, family, port }: AddressInfo): string {
  const isEverywhere = address === "0.0.0.0" || address === "::";
  const host = isEverywhere ? "127.0.0.1" : address;
  return `http://${family === "IPv6" && !isEverywhere ? `[${host}]` : host}:${port}`;
}
