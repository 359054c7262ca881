import { endpoints } from "../../provider/api/endpoints";
import type { Seed } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";

export const exampleSeed = seed as unknown as Seed;

/** The ids of the simulator's example seed. */
export const EXAMPLE = {
  secondOrganization: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d02",
  service: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  otherService: "a1b2c3d4-0002-4a53-9c1e-000000000002",
  pipes: {
    kafka: "b1b2c3d4-0001-4a53-9c1e-000000000001",
    objectStorage: "b1b2c3d4-0002-4a53-9c1e-000000000002",
    kinesis: "b1b2c3d4-0003-4a53-9c1e-000000000003",
    postgres: "b1b2c3d4-0004-4a53-9c1e-000000000004",
  },
} as const;

/** A table mapping of a pipe from Postgres. */
export const table = (name: string, more: object = {}) => ({
  sourceSchemaName: "public",
  sourceTable: name,
  targetTable: name,
  ...more,
});

type Member = Readonly<Record<string, unknown>>;

/**
 * The parameters of all paths with the ids of the first objects in the seed, which names its lists
 * as paths do.
 */
export const EXAMPLE_IDS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(endpoints).map(({ path }) => idsIn(path)),
);

function idsIn(path: string): Record<string, unknown> {
  const ids: Record<string, unknown> = {};
  let object: Member | undefined = seed;
  for (const [, list = "", parameter = ""] of path.matchAll(/(\w+)\/\{(\w+)\}/g)) {
    object = (object?.[list] as Member[] | undefined)?.[0];
    if (object) ids[parameter] = object.id;
  }
  return ids;
}

/** The object with this id, anywhere in a value of the simulator's state. */
export function findObject(value: unknown, id: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if ((value as Member).id === id) return value as Record<string, unknown>;
  for (const inner of Object.values(value)) {
    const object = findObject(inner, id);
    if (object) return object;
  }
  return undefined;
}

/**
 * The paths under which a value contains one of these texts, such as
 * `currentSource.kafka.password`.
 */
export function pathsContaining(value: unknown, texts: readonly string[], path = ""): string[] {
  if (typeof value === "string") return texts.some((text) => value.includes(text)) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    pathsContaining(item, texts, path ? `${path}.${name}` : name),
  );
}
