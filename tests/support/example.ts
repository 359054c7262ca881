import type { Seed } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";

export const exampleSeed = seed as unknown as Seed;

/** The ids of the simulator's example seed. */
export const EXAMPLE = {
  service: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  otherService: "a1b2c3d4-0002-4a53-9c1e-000000000002",
  pipes: {
    kafka: "b1b2c3d4-0001-4a53-9c1e-000000000001",
    objectStorage: "b1b2c3d4-0002-4a53-9c1e-000000000002",
    kinesis: "b1b2c3d4-0003-4a53-9c1e-000000000003",
    postgres: "b1b2c3d4-0004-4a53-9c1e-000000000004",
  },
} as const;
