import type { Faults } from "./faults";
import type { Journal } from "./journal";
import type { World } from "./world";

export interface Credentials {
  readonly keyId: string;
  readonly keySecret: string;
  readonly accessToken: string;
}

/** What all routes share. */
export interface Simulation {
  readonly world: World;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly reset: () => void;
  /** What requests have to bring; keys can be rotated. */
  credentials: Credentials;
}
