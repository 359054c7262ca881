import { corruptionError, type KeyValueStore, openKeyValueStore } from "./key-value-store";
import {
  type Alert,
  addService,
  type Credentials,
  deserializeOrganization,
  deserializeService,
  type Organization,
  type SerializedOrganization,
  type SerializedService,
  type Service,
  type State,
  type StateChange,
  serializeOrganization,
  serializeService,
} from "./state";

/** Keeps state in a folder, one record for each object. Callers write one after the other. */
export type StateStore = Awaited<ReturnType<typeof openStateStore>>;

const FORMAT = 1;
type Entry = readonly [key: string, value: unknown];

/** Opens a folder, which one simulator at a time can use. */
export async function openStateStore(folder: string) {
  const store = await openKeyValueStore(folder);

  return {
    /** Undefined for a new folder. */
    async load() {
      if (await store.isEmpty()) return undefined;
      const format = await store.get("format").catch((error) => Promise.reject(corruptionError(folder, error)));
      if (format === undefined) {
        throw new Error(`${folder} contains another program's data; choose another folder with --data`);
      }
      if (format !== FORMAT) {
        throw new Error(`${folder} was written by another release; choose another folder with --data`);
      }
      return loadState(store).catch((error) => Promise.reject(corruptionError(folder, error)));
    },
    async replace(state: State, credentials: Credentials): Promise<void> {
      const entries: Entry[] = [
        ["format", FORMAT],
        ["credentials", credentials],
        ["dashboards", state.dashboards],
        ["organizations", [...state.organizations.keys()]],
        ...[...state.alerts.values()].map((alert): Entry => [`alert:${alert.id}`, alert]),
        ...[...state.organizations.values()].flatMap((organization) => [
          organizationEntry(organization),
          ...[...organization.services.values()].map((service) => serviceEntry(organization, service)),
        ]),
      ];
      const deletions = (await store.keys()).map((key) => ({ type: "del" as const, key }));
      await store.write([...deletions, ...puts(entries)]);
    },
    save: ({ organization, service }: StateChange) =>
      store.write(puts([service ? serviceEntry(organization, service) : organizationEntry(organization)])),
    saveCredentials: (credentials: Credentials) => store.write(puts([["credentials", credentials]])),
    close: () => store.close(),
  };
}

async function loadState(store: KeyValueStore) {
  const organizations = new Map<string, Organization>();
  for (const id of await getRequired<string[]>(store, "organizations")) {
    const serialized = await getRequired<SerializedOrganization>(store, `organization:${id}`);
    organizations.set(id, deserializeOrganization(serialized));
  }
  for (const [organizationId, serialized] of (await store.values("service:")) as [string, SerializedService][]) {
    const organization = organizations.get(organizationId);
    if (organization) addService(organization, deserializeService(serialized));
  }
  const alerts = new Map(((await store.values("alert:")) as Alert[]).map((alert) => [alert.id, alert]));
  const dashboards = await getRequired<State["dashboards"]>(store, "dashboards");
  const credentials = await getRequired<Credentials>(store, "credentials");
  return { state: { organizations, alerts, dashboards }, credentials };
}

async function getRequired<Value>(store: KeyValueStore, key: string): Promise<Value> {
  const value = await store.get(key);
  if (value === undefined) throw new Error(`the record ${key.replace(":", " ")} is missing`);
  return value as Value;
}

function puts(entries: readonly Entry[]) {
  return entries.map(([key, value]) => ({ type: "put" as const, key, value }));
}

function organizationEntry(organization: Organization): Entry {
  return [`organization:${organization.id}`, serializeOrganization(organization)];
}

function serviceEntry(organization: Organization, service: Service): Entry {
  return [`service:${organization.id}:${service.id}`, [organization.id, serializeService(service)]];
}
