import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ClassicLevel } from "classic-level";
import type { Alert } from "../schema/seed";
import { applyChange, type Credentials, type Organization, type Service, type State, type StateChange } from "./state";

/** Keeps state in a folder, one record of LevelDB for each object. Callers write one after the other. */
export type Store = Awaited<ReturnType<typeof openStore>>;

type Level = ClassicLevel<string, unknown>;
type StoredRecord = readonly [key: string, value: unknown];

const FORMAT = 1;
const OTHER_FOLDER = "choose another folder with --data";

/** A write that failed; nothing of it was stored. */
export class NotStoredError extends Error {
  override readonly name = "NotStoredError";

  constructor(
    folder: string,
    /** The message of the operating system, without the folder. */
    readonly reason: string,
  ) {
    super(`cannot write to ${folder}: ${reason}; free some space or ${OTHER_FOLDER}`);
  }
}

/** Opens a folder, which one simulator at a time can use. */
export async function openStore(folder: string) {
  const level = await openLevel(folder);
  let isBroken = false;

  /** Writes all records or none; resolves when the data would survive the process. */
  async function write(records: readonly StoredRecord[], isReplacing = false): Promise<void> {
    try {
      if (isBroken) {
        // LevelDB can lose writes that follow a broken record in its log; opening it again starts a new log.
        await level.close();
        await level.open();
        isBroken = false;
      }
      const deleted = isReplacing ? await level.keys().all() : [];
      const deletions = deleted.map((key) => ({ type: "del" as const, key }));
      await level.batch([...deletions, ...records.map(([key, value]) => ({ type: "put" as const, key, value }))]);
    } catch (error) {
      isBroken = true;
      throw new NotStoredError(folder, reasonOf(error, folder));
    }
  }

  return {
    /** The stored state; undefined for a new folder. */
    async load() {
      const records = new Map(
        await level
          .iterator()
          .all()
          .catch((error) => Promise.reject(corruption(folder, error))),
      );
      if (records.size === 0) return undefined;
      if (records.get("format") === FORMAT) return stateOf(records, folder);
      const origin = records.has("format") ? "was written by another release" : "contains another program's data";
      throw new Error(`${folder} ${origin}; ${OTHER_FOLDER}`);
    },
    async replace(state: State, credentials: Credentials): Promise<void> {
      await write(recordsOf(state, credentials), true);
    },
    save: (change: StateChange) => write([recordOf(change)]),
    saveCredentials: (credentials: Credentials) => write([["credentials", credentials]]),
    close: () => level.close(),
  };
}

function recordsOf(state: State, credentials: Credentials): StoredRecord[] {
  return [
    ["format", FORMAT],
    ["credentials", credentials],
    ["dashboards", state.dashboards],
    // The order of organizations, which their keys do not keep.
    ["organizations", [...state.organizations.keys()]],
    ...[...state.alerts.values()].map((alert): StoredRecord => [`alert:${alert.id}`, alert]),
    ...[...state.organizations.values()].map((organization) => recordOf({ organization })),
    ...[...state.services.values()].map((service) => recordOf({ service })),
  ];
}

function recordOf(change: StateChange): StoredRecord {
  if ("organization" in change) return [`organization:${change.organization.id}`, change.organization];
  const { organizationId, ...service } = change.service;
  return [`service:${organizationId}:${service.id}`, [organizationId, service]];
}

function stateOf(records: ReadonlyMap<string, unknown>, folder: string) {
  function get<Value>(key: string): Value {
    if (records.has(key)) return records.get(key) as Value;
    throw corruption(folder, new Error(`the record ${key.replace(":", " ")} is missing`));
  }
  const all = <Value>(prefix: string) =>
    [...records].flatMap(([key, value]) => (key.startsWith(prefix) ? [value as Value] : []));
  const state: State = {
    organizations: new Map(),
    services: new Map(),
    alerts: new Map(all<Alert>("alert:").map((alert) => [alert.id, alert])),
    dashboards: get<State["dashboards"]>("dashboards"),
  };
  for (const id of get<string[]>("organizations")) {
    applyChange(state, { organization: get<Organization>(`organization:${id}`) });
  }
  for (const [organizationId, { fixed, ...service }] of all<[string, Service & { fixed?: object }]>("service:")) {
    // Earlier releases stored the values that only a creation sets in this member.
    applyChange(state, { service: { ...service, ...fixed, organizationId } });
  }
  return { state, credentials: get<Credentials>("credentials") };
}

async function openLevel(folder: string): Promise<Level> {
  try {
    createFolder(resolve(folder));
    // Loaded here, because most simulators keep their state in memory.
    const { ClassicLevel } = require("classic-level") as typeof import("classic-level");
    const level: Level = new ClassicLevel(folder, { valueEncoding: "json" });
    await level.open();
    return level;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    if (cause?.code === "LEVEL_LOCKED") throw new Error(`another simulator uses ${folder}; stop it or ${OTHER_FOLDER}`);
    if (cause?.code === "LEVEL_CORRUPTION") throw corruption(folder, error);
    throw new Error(`cannot store data in ${folder}: ${cause?.message ?? message}; ${OTHER_FOLDER}`);
  }
}

/** One level at a time: Node's recursive mkdir loops forever where a level cannot be created. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

function corruption(folder: string, error: unknown): Error {
  const reason = reasonOf(error, folder);
  return new Error(`${folder} is corrupted (${reason}); restore it from a backup or ${OTHER_FOLDER}`);
}

/** The message of the operating system, without the folder. */
function reasonOf(error: unknown, folder: string): string {
  const { message, cause } = error as Error & { cause?: Error };
  const last = (cause?.message ?? message).split(": ").at(-1) ?? "";
  return last === "" || last.includes(folder) ? "the storage failed" : last;
}
