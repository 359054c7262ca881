import type { Credentials } from "../simulation";
import { damaged, openStore, type Store } from "./store";
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

/** A world that outlives the process: one record a thing, in a folder. One write at a time. */
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

  return {
    async load() {
      if (await store.isEmpty()) return undefined;
      const format = await store.get("format").catch((error) => Promise.reject(damaged(folder, error)));
      if (format === undefined) throw new Error(`${folder} holds the data of another program; choose another folder`);
      if (format !== FORMAT) throw new Error(`${folder} was written by another release; choose another folder`);
      return loaded(store).catch((error) => Promise.reject(damaged(folder, error)));
    },
    async replace(world, credentials) {
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
      const gone = (await store.keys()).map((key) => ({ type: "del" as const, key }));
      await store.write([...gone, ...puts(entries)]);
    },
    keep: ({ organization, service }) =>
      store.write(puts([service ? serviceEntry(organization, service) : organizationEntry(organization)])),
    keepCredentials: (credentials) => store.write(puts([["credentials", credentials]])),
    close: () => store.close(),
  };
}

async function loaded(store: Store) {
  const organizations = new Map<string, Organization>();
  for (const id of await needed<string[]>(store, "organizations")) {
    organizations.set(id, organizationFrom(await needed<PlainOrganization>(store, `organization:${id}`)));
  }
  for (const [organizationId, plain] of (await store.values("service:")) as [string, PlainService][]) {
    const organization = organizations.get(organizationId);
    if (organization) addService(organization, serviceFrom(plain));
  }
  const alerts = new Map(((await store.values("alert:")) as Alert[]).map((alert) => [alert.id, alert]));
  const dashboards = await needed<World["dashboards"]>(store, "dashboards");
  return { world: { organizations, alerts, dashboards }, credentials: await needed<Credentials>(store, "credentials") };
}

async function needed<Value>(store: Store, key: string): Promise<Value> {
  const value = await store.get(key);
  if (value === undefined) throw new Error(`the record ${key.replace(":", " ")} is missing`);
  return value as Value;
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
