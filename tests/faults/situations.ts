import type { resources } from "../../provider/resources";
import type { Seed } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import type { Properties } from "../support/adapters/handlers";
import { EXAMPLE } from "../support/example";
import type { RequestKind } from "./expectation";

/** Every request that a fault can hit, in the command that sends it. */

interface Command {
  readonly type: keyof typeof resources;
  /** The previous declaration, if the resource is already in the stack. */
  readonly before?: Properties;
  readonly args: Properties;
  /** The request that reads the object, if it can be read. */
  readonly read?: string;
  /** True if the command is a refresh. */
  readonly isRefresh?: true;
}

/** The trace of an applied request on the server: a path in the object, and its value. */
type Trace = readonly [path: string, value: string | number];

export interface Situation extends Command {
  /** The requests of the command when nothing fails. */
  readonly requests: readonly string[];
  /** The request that hits the fault, and its kind. */
  readonly faultAt: number;
  readonly requestKind: RequestKind;
  readonly applied?: Trace | undefined;
}

export const ADOPTED = EXAMPLE.service;
export const POSTGRES = EXAMPLE.pipes.postgres;
const office = { source: "203.0.113.0/24", description: "office" };
const ci = { source: "198.51.100.9", description: "ci" };
const endpoint = "vpce-0a1b2c3d4e5f60001";

const POST = "POST /services";
const GET = "GET /services/{id}";
const PATCH = "PATCH /services/{id}";
const SCALE = "PATCH /services/{id}/replicaScaling";
const GET_PIPE = "GET /services/{id}/pipes/{id}";
const PATCH_PIPE = "PATCH /services/{id}/pipes/{id}";
const PATCH_ORGANIZATION = "PATCH ";

const created = { name: "db", numReplicas: 3, ipAccessList: [office] };
const adopted = { existingServiceId: ADOPTED };
const scaling = { serviceId: ADOPTED, numReplicas: 3 };
/** Arguments with an entry of others, the office, which they describe in another way. */
const access = { serviceId: ADOPTED, ipAccessList: [{ ...office, description: "the office" }, ci] };
const adoptedPipe = { serviceId: ADOPTED, pipeId: POSTGRES };
const withTable = (name: string) => ({
  ...adoptedPipe,
  source: { postgres: { tableMappings: [{ sourceSchemaName: "public", sourceTable: name, targetTable: name }] } },
});

const ofService = { type: "Service", read: GET } as const;
const ofScaling = { type: "ServiceScaling", read: GET } as const;
const ofAccess = { type: "ServiceAccess", read: GET } as const;
const ofPipe = { type: "Pipe", read: GET_PIPE } as const;
const ofOrganization = { type: "Organization" } as const;

/** Each command with its requests. A request with a kind hits every fault. */
const commands: Readonly<
  Record<string, readonly [command: Command, ...requests: [request: string, kind?: RequestKind, applied?: Trace][]]>
> = {
  "creating a service": [{ ...ofService, args: created }, [POST, "create", ["name", "db"]]],
  "creating a service with a private endpoint": [
    { ...ofService, args: { ...created, privateEndpointIds: [endpoint] } },
    [POST],
    [PATCH, "list", ["privateEndpointIds.0", endpoint]],
  ],
  "changing a service's name": [
    { ...ofService, before: created, args: { ...created, name: "other" } },
    [PATCH, "update", ["name", "other"]],
  ],
  "changing a service's access list": [
    { ...ofService, before: created, args: { ...created, ipAccessList: [ci] } },
    [PATCH, "list", ["ipAccessList.0.source", ci.source]],
  ],
  "changing a service's scaling": [
    { ...ofService, before: created, args: { ...created, numReplicas: 5 } },
    [SCALE, "update", ["numReplicas", 5]],
  ],
  "changing a service's name and scaling": [
    { ...ofService, before: created, args: { ...created, name: "other", numReplicas: 5 } },
    [PATCH, "update", ["name", "other"]],
    [SCALE, "update", ["numReplicas", 5]],
  ],
  "adopting a service": [
    { ...ofService, args: { ...adopted, numReplicas: 4 } },
    [GET, "read"],
    [SCALE, "update", ["numReplicas", 4]],
  ],
  "adopting a service with an access list": [
    { ...ofService, args: { ...adopted, ipAccessList: [ci] } },
    [GET],
    [PATCH, "list", ["ipAccessList.0.source", ci.source]],
  ],
  "adopting a scaling": [
    { ...ofScaling, args: { ...scaling, numReplicas: 4 } },
    [GET, "read"],
    [SCALE, "update", ["numReplicas", 4]],
  ],
  "changing a scaling": [
    { ...ofScaling, before: scaling, args: { ...scaling, numReplicas: 4 } },
    [SCALE, "update", ["numReplicas", 4]],
  ],
  "adding access": [
    { ...ofAccess, args: access },
    [GET, "read"],
    [PATCH, "list", ["ipAccessList.2.source", ci.source]],
  ],
  "changing access": [
    { ...ofAccess, before: access, args: { ...access, ipAccessList: [{ source: "192.0.2.1" }] } },
    [GET, "read"],
    [PATCH, "list", ["ipAccessList.2.source", "192.0.2.1"]],
  ],
  "adopting a pipe": [
    { ...ofPipe, args: { ...adoptedPipe, name: "other" } },
    [GET_PIPE, "read"],
    [PATCH_PIPE, "update", ["name", "other"]],
  ],
  "changing a pipe's settings": [
    {
      ...ofPipe,
      before: { ...adoptedPipe, settings: { streamingMaxInsertWaitMs: 1000 } },
      args: { ...adoptedPipe, settings: { streamingMaxInsertWaitMs: 5000 } },
    },
    [PATCH_PIPE, "update", ["settings.streaming_max_insert_wait_ms", 5000]],
  ],
  "changing a pipe's tables": [
    { ...ofPipe, before: withTable("a"), args: withTable("b") },
    [PATCH_PIPE, "list", ["source.postgres.tableMappings.0.sourceTable", "b"]],
  ],
  "naming an organization": [
    { ...ofOrganization, args: { name: "other" } },
    [PATCH_ORGANIZATION, "update", ["name", "other"]],
  ],
  "renaming an organization": [
    { ...ofOrganization, before: { name: "other" }, args: { name: "another" } },
    [PATCH_ORGANIZATION, "update", ["name", "another"]],
  ],
  "changing an organization's endpoints": [
    {
      ...ofOrganization,
      before: { privateEndpoints: [{ id: "vpce-8", description: "eight" }] },
      args: { privateEndpoints: [{ id: "vpce-9", description: "nine" }] },
    },
    [PATCH_ORGANIZATION, "unreadable", ["privateEndpoints.2.id", "vpce-9"]],
  ],
  "refreshing a service": [{ ...ofService, before: created, args: created, isRefresh: true }, [GET, "refresh"]],
  "refreshing a scaling": [{ ...ofScaling, before: scaling, args: scaling, isRefresh: true }, [GET, "refresh"]],
  "refreshing access": [{ ...ofAccess, before: access, args: access, isRefresh: true }, [GET, "refresh"]],
  "refreshing a pipe": [{ ...ofPipe, before: adoptedPipe, args: adoptedPipe, isRefresh: true }, [GET_PIPE, "refresh"]],
};

export const situations: Readonly<Record<string, Situation>> = Object.fromEntries(
  Object.entries(commands).flatMap(([name, [command, ...all]]) => {
    const requests = all.map(([request]) => request);
    return all.flatMap(([request, requestKind, applied], faultAt) =>
      requestKind ? [[`${name}, ${request.trim()}`, { ...command, requests, faultAt, requestKind, applied }]] : [],
    );
  }),
);

const [example] = exampleSeed.organizations;
const [analytics] = example?.services ?? [];

/** The seed, with only the objects that the situations need. */
export const seed = {
  organizations: [
    { ...example, services: [{ ...analytics, pipes: analytics?.pipes?.filter(({ id }) => id === POSTGRES) }] },
  ],
} as unknown as Seed;
