import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer } from "./http/server";
import { findSchemaError } from "./operations/validation";
import type { FaultRule } from "./simulation/fault-rules";
import type { RateLimit } from "./simulation/rate-limit";
import type { Seed } from "./simulation/seed";
import { createSimulation } from "./simulation/simulation";
import { type Credentials, defaultOrganization, type Organization } from "./state/state";
import { openStateStore } from "./state/state-store";

export type { FaultEffect, FaultRule } from "./simulation/fault-rules";
export type { JournalEntry } from "./simulation/journal";
export type { RateLimit } from "./simulation/rate-limit";
export type { Seed } from "./simulation/seed";

export interface SimulatorOptions extends Partial<Credentials> {
  /** Default: 0, a free port. */
  readonly port?: number;
  /** A folder that keeps the state across restarts. Default: the state is lost when the process ends. */
  readonly data?: string;
  readonly organization?: Partial<Pick<Organization, "id" | "tier" | "paid">>;
  /** The initial state. Default: one organization without services. */
  readonly seed?: Seed;
  /** Fault rules that precede the seed's. */
  readonly faults?: readonly FaultRule[];
  /** Replaces the seed's. */
  readonly rateLimit?: RateLimit;
  /** Milliseconds since 1970, for tests with their own time. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The addresses and credentials of a running simulator. */
export interface ReadyLine extends Credentials {
  readonly baseUrl: string;
  readonly observabilityUrl: string;
  readonly organizationId: string;
  readonly page: string;
}

export interface RunningSimulator extends ReadyLine {
  /** True if the folder of `data` contained state; the seed was ignored. */
  readonly isResumed: boolean;
  readonly close: () => Promise<void>;
}

/** Starts a simulator, for this machine alone. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const { port = 0, data, now = Date.now } = options;
  assertValidOptions(options);
  const store = data === undefined ? undefined : await openStateStore(data);
  try {
    const stored = await store?.load();
    const credentials = credentialsFor(options, stored?.credentials);
    const simulation = createSimulation({
      seed: seedFor(options),
      credentials,
      storedState: stored?.state,
      store,
      now,
    });
    if (stored) await store?.saveCredentials(credentials);
    else await store?.replace(simulation.state, credentials);

    const app = createServer(simulation);
    await app.listen({ host: "127.0.0.1", port });
    const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    return {
      baseUrl: url,
      observabilityUrl: url,
      organizationId: [...simulation.state.organizations.keys()][0] ?? "",
      ...credentials,
      page: `${url}/`,
      isResumed: stored !== undefined,
      async close() {
        await app.close();
        await store?.close();
      },
    };
  } catch (error) {
    await store?.close();
    throw error;
  }
}

function seedFor({ seed, organization, faults = [], rateLimit }: SimulatorOptions): Seed {
  const { services, warehouses, ...values } = defaultOrganization(organization);
  const base: Seed = seed ?? { organizations: [values] };
  return { ...base, faults: [...faults, ...(base.faults ?? [])], ...(rateLimit && { rateLimit }) };
}

/** Given credentials come first, then stored ones, then random ones. */
function credentialsFor(options: Partial<Credentials>, stored: Credentials | undefined): Credentials {
  const randomSecret = () => randomBytes(16).toString("hex");
  return {
    keyId: options.keyId ?? stored?.keyId ?? "simulator",
    keySecret: options.keySecret ?? stored?.keySecret ?? randomSecret(),
    accessToken: options.accessToken ?? stored?.accessToken ?? randomSecret(),
  };
}

/** Validates only options that are set: a start without options need not load the validation. */
function assertValidOptions(options: SimulatorOptions): void {
  const { seed, organization, faults, rateLimit, keyId, keySecret, accessToken } = options;
  const credentials = Object.entries({ keyId, keySecret, accessToken }).filter(([, value]) => value !== undefined);
  const errors = {
    faults: faults && findSchemaError("Faults", { faults }),
    "rate limit": rateLimit && findSchemaError("RateLimit", rateLimit),
    credentials: credentials.length > 0 ? findSchemaError("Credentials", Object.fromEntries(credentials)) : undefined,
    organization: organization && findSchemaError("Seed", seedFor({ organization })),
    seed: seed && findSchemaError("Seed", seed),
  };
  for (const [name, error] of Object.entries(errors)) {
    if (error !== undefined) throw new Error(`invalid ${name}: ${error}`);
  }
}
