import { createServiceData, type Data, endpointFor, type ServerState } from "./state";

/** The specification's operations, applied to the data. */

export function createService(state: ServerState, body: Data): Data {
  const number = state.services.size + 1;
  const id = `c1c2c3d4-000${number}-4a53-9c1e-000000000001`;
  const service = createServiceData(id, body);
  state.services.set(id, service);
  const password = `the password of service ${number}`;
  state.passwords.set(id, password);
  return { service, password };
}

export function updateService(service: Data, body: Data): Data {
  const { ipAccessList, privateEndpointIds, endpoints, releaseChannel: _, ...plain } = body;
  Object.assign(service, plain);
  if (ipAccessList) service.ipAccessList = listAfter(service.ipAccessList, ipAccessList, ({ source }) => source);
  if (privateEndpointIds) {
    service.privateEndpointIds = listAfter(service.privateEndpointIds, privateEndpointIds, (id) => id);
  }
  for (const { protocol, enabled } of (endpoints ?? []) as { protocol: string; enabled: boolean }[]) {
    const others = (service.endpoints as Data[]).filter((item) => item.protocol !== protocol);
    service.endpoints = enabled ? [...others, endpointFor(service, protocol)] : others;
  }
  return service;
}

export function updateScaling(service: Data, body: Data): Data {
  return Object.assign(service, body);
}

export function updateOrganization({ organization }: ServerState, { name, privateEndpoints }: Data): Data {
  if (name !== undefined) organization.name = name;
  if (privateEndpoints) {
    organization.privateEndpoints = listAfter(organization.privateEndpoints, privateEndpoints, ({ id }) => id);
  }
  return organization;
}

export function updatePipe(pipe: Data, body: Data): Data {
  const { name, source = {}, destination, fieldMappings, settings } = body as Record<string, Data | undefined>;
  if (name !== undefined) pipe.name = name;
  if (fieldMappings !== undefined) pipe.fieldMappings = fieldMappings;
  pipe.destination = { ...(pipe.destination as Data), ...destination };
  pipe.settings = { ...(pipe.settings as Data), ...settings };
  const current = pipe.source as Record<string, Data>;
  for (const type of Object.keys(current))
    current[type] = updateSource(current[type] ?? {}, (source[type] ?? {}) as Data);
  return pipe;
}

/** A source after an update: secrets are accepted, and never shown. */
function updateSource(current: Data, change: Data): Data {
  const { credentials: _, accessKey: __, connectionString: ___, settings, ...rest } = change;
  const { tableMappingsToAdd: add = [], tableMappingsToRemove: remove = [], ...plain } = rest;
  const tables = current.tableMappings;
  return {
    ...current,
    ...plain,
    ...(settings !== undefined && { settings: { ...(current.settings as Data), ...(settings as Data) } }),
    ...(tables !== undefined && { tableMappings: listAfter(tables, { add, remove }, tableKey) }),
  };
}

const tableKey = ({ sourceSchemaName, sourceTable, targetTable }: Data) =>
  JSON.stringify([sourceSchemaName, sourceTable, targetTable]);

/** Removes before it adds; an added entry replaces one with the same key. */
function listAfter<Entry = never>(list: unknown, change: unknown, keyOf: (entry: never) => unknown): Entry[] {
  const { add = [], remove = [] } = change as { add?: Entry[]; remove?: Entry[] };
  const key = (entry: Entry) => keyOf(entry as never);
  const removed = new Set([...remove, ...add].map(key));
  return [...(list as Entry[]).filter((entry) => !removed.has(key(entry))), ...add];
}
