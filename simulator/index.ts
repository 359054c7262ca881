import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createServer } from "./http/server";
import {
  Credentials as CredentialsSchema,
  type FaultRule,
  Faults,
  RateLimit,
  Seed,
} from "./schema/seed";
import { findError } from "./schema/shapes";
import { defaultOrganization } from "./simulation/seed";
import { createSimulation } from "./simulation/simulation";
import type { Credentials, Organization } from "./state/state";
import { openStore } from "./state/store";

export type { FaultEffect, FaultRule, RateLimit, Seed } from "./schema/seed";
export type { JournalEntry } from "./simulation/journal";

export interface SimulatorOptions extends Partial<Credentials> {
  /** The port. Default: 0, a free port. */
  readonly port?: number;
  /** A folder that keeps the state across restarts. Default: none. */
  readonly data?: string;
  readonly organization?: Partial<Pick<Organization, "id" | "tier" | "paid">>;
  /** The initial state. Default: one organization without services. */
  readonly seed?: Seed;
  /** Fault rules that precede the seed's. */
  readonly faults?: readonly FaultRule[];
  /** The rate limit, which overrides the seed's. */
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
  /** True if the `data` folder contained a state, so that the seed was ignored. */
  readonly isResumed: boolean;
  readonly close: () => Promise<void>;
}

/** The serializable options; a seed includes the organization. */
const Data = CredentialsSchema.extend({
  seed: Seed,
  ...Faults.partial().shape,
  rateLimit: RateLimit.optional(),
});

/** Starts a simulator that only accepts requests from this machine. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<RunningSimulator> {
  const { port = 0, data, now = Date.now, organization, ...others } = options;
  const seed: Seed = options.seed ?? {
    organizations: [{ id: defaultOrganization.id, ...organization }],
  };
  const error = findError(Data, { ...others, seed }, "options");
  if (error !== undefined) throw new Error(`invalid options: ${error}`);
  const { faults = [], rateLimit = seed.rateLimit } = options;
  const store = data === undefined ? undefined : openStore(data);
  try {
    const stored = store?.load();
    const credentials = credentialsFor(options, stored?.credentials);
    const simulation = createSimulation({
      seed: {
        ...seed,
        faults: [...faults, ...(seed.faults ?? [])],
        ...(rateLimit && { rateLimit }),
      },
      credentials,
      storedState: stored?.state,
      store,
      now,
    });
    await store?.save(simulation.state, credentials);

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
        store?.close();
      },
    };
  } catch (error) {
    store?.close();
    throw error;
  }
}

/** Uses credentials from the options, then stored ones, then random ones. */
function credentialsFor(
  options: Partial<Credentials>,
  stored: Credentials | undefined,
): Credentials {
  const randomSecret = () => randomBytes(16).toString("hex");
  return {
    keyId: options.keyId ?? stored?.keyId ?? "simulator",
    keySecret: options.keySecret ?? stored?.keySecret ?? randomSecret(),
    accessToken: options.accessToken ?? stored?.accessToken ?? randomSecret(),
  };
}
