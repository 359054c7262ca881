import { rmSync } from "node:fs";
import axios, { type AxiosAdapter, type InternalAxiosRequestConfig } from "axios";
import { basic } from "pulumi-clouddb-facts";
import { recordsIn } from "../../contract/journal-setup";
import { startProcess } from "../../contract/support";
import type { LocalProcess, Properties } from "../../support/adapters/handlers";
import { nameIn } from "../../support/engine/state";
import { folderInMemory } from "../../support/temporary-folder";
import type { Circumstances, PairHistory } from "./features";
import { seed as modelSeed, type Slot } from "./scenario";
import type { Server } from "./server";

/** Two accounts with an organization each: their keys, processes and creation journals. */

/** The second account has the same objects, with IDs of another beginning. */
export const inSecond = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replace(/([ab])1b2c3d4-/g, "$1f00000d-"));
const [first] = modelSeed.organizations as unknown as [{ id: string; services: Properties[] }];
const [FIRST, SECOND] = [first.id, "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d02"];
/** A service that only an import brings into a stack. */
export const IMPORTED = "a1b2c3d4-0003-4a53-9c1e-000000000003";
const services = [...first.services, { ...first.services[0], id: IMPORTED, pipes: [] }];
export const seed = {
  organizations: [
    { ...first, services },
    { ...first, id: SECOND, services: inSecond(services) },
  ],
} as unknown as typeof modelSeed;

/** The beginning of every secret of a program or a user. */
export const CANARY = "canary";
export const VARIABLE = "SOURCE_SECRET";
const MAPPINGS = {
  SECOND_KEY_ID: "CLOUDDB_KEY_ID",
  SECOND_KEY_SECRET: "CLOUDDB_KEY_SECRET",
  SECOND_ORGANIZATION_ID: "CLOUDDB_ORGANIZATION_ID",
  SECOND_SECRET: VARIABLE,
};
const KEY = new RegExp(`^([ab]):${CANARY}-\\1-key-`);

/** The slot of a resource: a renamed one has a longer name. */
export const slotIn = (urn: string) => nameIn(urn).replace(/x+$/, "") as Slot;

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(server: Server, history: PairHistory) {
  const { place, isMapped, isAutonamed, traits } = history;
  const folder = folderInMemory("pairs");
  redis.clear();
  let generation = 1;
  let leak: string | undefined;
  const keyOf = (account: string) => `${CANARY}-${account}-key-${generation}`;

  /** Holds a request against the account of its key, and gives it the key of the server. */
  function check(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
    const { headers, url = "", data = "" } = config;
    const [, encoded = ""] = String(headers.Authorization).split(" ");
    // Processes of commands that have died still have an earlier key.
    const [, account] = KEY.exec(Buffer.from(encoded, "base64").toString()) ?? [];
    const isSecond = account === "b";
    const [own, other] = isSecond ? [SECOND, "a"] : [FIRST, "b"];
    if (account === undefined) leak ??= `a request has a key of no account: ${url}`;
    if (!url.includes(own)) leak ??= `the key of organization ${own} is sent to ${url}`;
    if (String(data).includes(`${CANARY}-${other}`))
      leak ??= `${url} receives a secret of the other account: ${data}`;
    headers.Authorization = basic(server.keyId, server.keySecret);
    return config;
  }
  const send = axios.defaults.adapter as AxiosAdapter;
  const received: string[] = [];
  axios.defaults.adapter = async (config) => {
    const response = await send(check(config));
    received.push(String(response.data));
    return response;
  };

  /** The processes of a command, one for each account. */
  function start({ secrets, hasSecondKey }: Circumstances): readonly LocalProcess[] {
    const secret = (account: string, number: number) =>
      number > 0 ? `${CANARY}-${account}-${number}` : "";
    const environment: Record<string, string> = {
      CLOUDDB_MAX_RETRIES: "1",
      CLOUDDB_JOURNAL: { folder, redis: "redis://journal:6379", off: "off" }[place],
      CLOUDDB_KEY_ID: "a",
      CLOUDDB_KEY_SECRET: keyOf("a"),
      [VARIABLE]: secret("a", secrets[0]),
      SECOND_KEY_ID: "b",
      SECOND_KEY_SECRET: hasSecondKey ? keyOf("b") : "",
      SECOND_ORGANIZATION_ID: SECOND,
      SECOND_SECRET: secret("b", secrets[1]),
    };
    // The engine leaves a mapped variable in place where the one that replaces it is not set.
    const replaced = Object.entries(MAPPINGS).filter(([source]) => environment[source] !== "");
    const mapped = Object.fromEntries(
      replaced.map(([source, target]) => [target, environment[source] ?? ""]),
    );
    const configuration: Record<string, string> = isMapped
      ? { envVarMappings: JSON.stringify(MAPPINGS) }
      : { keyId: "b", keySecret: keyOf("b"), organizationId: SECOND };
    const host = isAutonamed && {
      autonaming: (urn: string) => ["PROPOSE", `${nameIn(urn)} of the stack`] as const,
    };
    const secondEnvironment = { ...environment, ...(isMapped && mapped) };
    return [
      startProcess(server, environment, { ...host }),
      startProcess(server, secondEnvironment, { ...host, configuration }),
    ];
  }

  function records(): JournalRecord[] {
    const files = recordsIn(folder).map(({ path, text }) => [path, text] as const);
    return [...files, ...redis].map(([file, text]) => ({ ...JSON.parse(text), file }));
  }

  return {
    start,
    records,
    isSecond: (urn: string) => traits[slotIn(urn)].isOther === true,
    changeKeys(): void {
      generation += 1;
    },
    /** True if a process has received a response with the text. */
    hasReceived: (text: string) => received.some((response) => response.includes(text)),
    /** The first request that an account should not have sent. */
    leak: () => leak,
    /** The command `pulumi-clouddb creations discard`. */
    discard(file: string): void {
      if (place === "folder") rmSync(file);
      else redis.delete(file);
    },
    close(): void {
      axios.defaults.adapter = send;
      rmSync(folder, { recursive: true });
    },
  };
}

export interface JournalRecord {
  readonly urn: string;
  readonly id?: string;
  readonly name: string;
  readonly file: string;
}

/** The journal in Redis, in the place of a connection: see jest.mock. */
const redis = new Map<string, string>();
export const redisCommands = () => (_timeoutMs: number, command: (client: object) => unknown) =>
  command({
    hget: async (_: string, name: string) => redis.get(name) ?? null,
    hsetnx: async (_: string, name: string, text: string) =>
      redis.has(name) ? 0 : Number(redis.set(name, text).size > 0),
    hset: async (_: string, name: string, text: string) => void redis.set(name, text),
    hdel: async (_: string, name: string) => void redis.delete(name),
    hscan: async () => ["0", [...redis].flat()],
  });
