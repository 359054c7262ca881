import { mkdirSync } from "node:fs";
import { ClassicLevel } from "classic-level";
import type { Credentials } from "../simulation";
import {
  type Alert,
  addService,
  type Change,
  type Organization,
  organizationFrom,
  type PlainOrganization,
  type PlainService,
  plainOrganization,
  plainService,
  type Service,
  serviceFrom,
  type World,
} from "./world";

/** A world that outlives the process: LevelDB in a folder, one record a thing. */
export interface Memory {
  /** What was kept; nothing in a new folder. */
  readonly load: () => Promise<{ world: World; credentials: Credentials } | undefined>;
  /** Everything anew. */
  readonly replace: (world: World, credentials: Credentials) => Promise<void>;
  /** Done when it would survive the process. */
  readonly keep: (changed: Change) => Promise<void>;
  readonly keepCredentials: (credentials: Credentials) => Promise<void>;
  readonly close: () => Promise<void>;
}

const FORMAT = 1;
type Entry = readonly [key: string, value: unknown];

/** Opens a folder, which one simulator at a time may use. */
export async function openMemory(folder: string): Promise<Memory> {
  const store = await openStore(folder);
  const { put, alone } = createWriter((entries) => store.batch(puts(entries)));

  return {
    async load() {
      const format = await store.get("format");
      if (format === undefined) return undefined;
      if (format !== FORMAT) throw new Error(`${folder} was written by another release; choose another folder`);
      const organizations = new Map<string, Organization>();
      for (const id of (await store.get("organizations")) as string[]) {
        organizations.set(id, organizationFrom((await store.get(`organization:${id}`)) as PlainOrganization));
      }
      for (const [organizationId, plain] of await values<[string, PlainService]>("service:")) {
        const organization = organizations.get(organizationId);
        if (organization) addService(organization, serviceFrom(plain));
      }
      const alerts = await values<Alert>("alert:");
      const dashboards = (await store.get("dashboards")) as World["dashboards"];
      return {
        world: { organizations, alerts: new Map(alerts.map((alert) => [alert.id, alert])), dashboards },
        credentials: (await store.get("credentials")) as Credentials,
      };
    },
    replace(world, credentials) {
      const entries: Entry[] = [
        ["format", FORMAT],
        ["credentials", credentials],
        ["dashboards", world.dashboards],
        ["organizations", [...world.organizations.keys()]],
        ...[...world.alerts.values()].map((alert): Entry => [`alert:${alert.id}`, alert]),
        ...[...world.organizations.values()].flatMap((organization) => [
          organizationEntry(organization),
          ...[...organization.services.values()].map((service) => serviceEntry(organization, service)),
        ]),
      ];
      return alone(async () => {
        const gone = await store.keys().all();
        const deleted = gone.map((key) => ({ type: "del" as const, key }));
        await store.batch([...deleted, ...puts(entries)]);
      });
    },
    keep: ({ organization, service }) =>
      put(service ? serviceEntry(organization, service) : organizationEntry(organization)),
    keepCredentials: (credentials) => put(["credentials", credentials]),
    close: () => store.close(),
  };

  async function values<Value>(prefix: string): Promise<Value[]> {
    // Prefixes end in a colon; a semicolon is next to it.
    return (await store.values({ gte: prefix, lt: prefix.replace(":", ";") }).all()) as Value[];
  }
}

async function openStore(folder: string): Promise<ClassicLevel<string, unknown>> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const store = new ClassicLevel<string, unknown>(folder, { valueEncoding: "json" });
    await store.open();
    return store;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    if (cause?.code === "LEVEL_LOCKED") {
      throw new Error(`another simulator uses ${folder}; end it, or choose another folder with --data`);
    }
    throw new Error(`${folder} cannot be used to keep data in: ${cause?.message ?? message}`);
  }
}

function puts(entries: readonly Entry[]) {
  return entries.map(([key, value]) => ({ type: "put" as const, key, value }));
}

function organizationEntry(organization: Organization): Entry {
  return [`organization:${organization.id}`, plainOrganization(organization)];
}

function serviceEntry(organization: Organization, service: Service): Entry {
  return [`service:${organization.id}:${service.id}`, [organization.id, plainService(service)]];
}

type Write = (entries: readonly Entry[]) => Promise<void>;

/** Writes one batch after the other, each with all that came while the one before it was under way. */
export function createWriter(write: Write) {
  let last: Promise<unknown> = Promise.resolve();
  let open: { readonly entries: Map<string, unknown>; readonly written: Promise<void> } | undefined;

  function afterLast(task: () => Promise<void>): Promise<void> {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  }
  return {
    put([key, value]: Entry): Promise<void> {
      if (open === undefined) {
        const entries = new Map<string, unknown>();
        const written = afterLast(() => {
          if (open?.entries === entries) open = undefined;
          return write([...entries]);
        });
        open = { entries, written };
      }
      open.entries.set(key, value);
      return open.written;
    },
    /** Something that what is put later has to come after. */
    alone(task: () => Promise<void>): Promise<void> {
      open = undefined;
      return afterLast(task);
    },
  };
}
