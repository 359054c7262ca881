import { endpoints, type OperationId } from "../../provider/api/endpoints";
import type { Resource } from "../../provider/core/object/resource";
import { resources } from "../../provider/resources";
import type { Seed } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import type { Properties, ResourceType } from "../support/adapters/handlers";
import { EXAMPLE, table } from "../support/example";
import type { RequestKind } from "./expectation";

/** Every request that a fault can hit, in the command that sends it. */

interface Command {
  readonly type: ResourceType;
  /** The previous declaration, if the resource is already in the stack. */
  readonly before?: Properties;
  readonly args: Properties;
  /** True if the command is a refresh. */
  readonly isRefresh?: true;
}

/** The trace of an applied request on the server: a path in the object, and its value. */
type Trace = readonly [path: string, value: string | number];

export interface Situation extends Command {
  /** The request that reads the object, if it can be read. */
  readonly read: string | undefined;
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

const created = { name: "db", numReplicas: 3, ipAccessList: [office] };
const adopted = { existingServiceId: ADOPTED };
const scaling = { serviceId: ADOPTED, numReplicas: 3 };
/** Arguments with an entry of others, the office, which they describe in another way. */
const access = { serviceId: ADOPTED, ipAccessList: [{ ...office, description: "the office" }, ci] };
const adoptedPipe = { serviceId: ADOPTED, pipeId: POSTGRES };
const withTable = (name: string) => ({
  ...adoptedPipe,
  source: {
    postgres: {
      tableMappings: [table(name)],
    },
  },
});

/** Each command with its requests. A request with a kind hits every fault. */
const commands: Readonly<
  Record<
    string,
    readonly [
      command: Command,
      ...requests: [operation: OperationId, kind?: RequestKind, applied?: Trace][],
    ]
  >
> = {
  "creating a service": [
    { type: "Service", args: created },
    ["createService", "create", ["name", "db"]],
  ],
  "creating a service with a private endpoint": [
    { type: "Service", args: { ...created, privateEndpointIds: [endpoint] } },
    ["createService"],
    ["updateService", "list", ["privateEndpointIds.0", endpoint]],
  ],
  "changing a service's name": [
    { type: "Service", before: created, args: { ...created, name: "other" } },
    ["updateService", "update", ["name", "other"]],
  ],
  "changing a service's access list": [
    { type: "Service", before: created, args: { ...created, ipAccessList: [ci] } },
    ["updateService", "list", ["ipAccessList.0.source", ci.source]],
  ],
  "changing a service's scaling": [
    { type: "Service", before: created, args: { ...created, numReplicas: 5 } },
    ["scaleService", "update", ["numReplicas", 5]],
  ],
  "changing a service's name and scaling": [
    { type: "Service", before: created, args: { ...created, name: "other", numReplicas: 5 } },
    ["updateService", "update", ["name", "other"]],
    ["scaleService", "update", ["numReplicas", 5]],
  ],
  "adopting a service": [
    { type: "Service", args: { ...adopted, numReplicas: 4 } },
    ["getService", "read"],
    ["scaleService", "update", ["numReplicas", 4]],
  ],
  "adopting a service with an access list": [
    { type: "Service", args: { ...adopted, ipAccessList: [ci] } },
    ["getService"],
    ["updateService", "list", ["ipAccessList.0.source", ci.source]],
  ],
  "adopting a scaling": [
    { type: "ServiceScaling", args: { ...scaling, numReplicas: 4 } },
    ["getService", "read"],
    ["scaleService", "update", ["numReplicas", 4]],
  ],
  "changing a scaling": [
    { type: "ServiceScaling", before: scaling, args: { ...scaling, numReplicas: 4 } },
    ["scaleService", "update", ["numReplicas", 4]],
  ],
  "adding access": [
    { type: "ServiceAccess", args: access },
    ["getService", "read"],
    ["updateService", "list", ["ipAccessList.2.source", ci.source]],
  ],
  "changing access": [
    {
      type: "ServiceAccess",
      before: access,
      args: { ...access, ipAccessList: [{ source: "192.0.2.1" }] },
    },
    ["getService", "read"],
    ["updateService", "list", ["ipAccessList.2.source", "192.0.2.1"]],
  ],
  "adopting a pipe": [
    { type: "Pipe", args: { ...adoptedPipe, name: "other" } },
    ["getPipe", "read"],
    ["updatePipe", "update", ["name", "other"]],
  ],
  "changing a pipe's settings": [
    {
      type: "Pipe",
      before: { ...adoptedPipe, settings: { streamingMaxInsertWaitMs: 1000 } },
      args: { ...adoptedPipe, settings: { streamingMaxInsertWaitMs: 5000 } },
    },
    ["updatePipe", "update", ["settings.streaming_max_insert_wait_ms", 5000]],
  ],
  "changing a pipe's tables": [
    { type: "Pipe", before: withTable("a"), args: withTable("b") },
    ["updatePipe", "list", ["source.postgres.tableMappings.0.sourceTable", "b"]],
  ],
  "naming an organization": [
    { type: "Organization", args: { name: "other" } },
    ["updateOrganization", "update", ["name", "other"]],
  ],
  "renaming an organization": [
    { type: "Organization", before: { name: "other" }, args: { name: "another" } },
    ["updateOrganization", "update", ["name", "another"]],
  ],
  "changing an organization's endpoints": [
    {
      type: "Organization",
      before: { privateEndpoints: [{ id: "vpce-8", description: "eight" }] },
      args: { privateEndpoints: [{ id: "vpce-9", description: "nine" }] },
    },
    ["updateOrganization", "unreadable", ["privateEndpoints.2.id", "vpce-9"]],
  ],
  "refreshing a service": [
    { type: "Service", before: created, args: created, isRefresh: true },
    ["getService", "refresh"],
  ],
  "refreshing a scaling": [
    { type: "ServiceScaling", before: scaling, args: scaling, isRefresh: true },
    ["getService", "refresh"],
  ],
  "refreshing access": [
    { type: "ServiceAccess", before: access, args: access, isRefresh: true },
    ["getService", "refresh"],
  ],
  "refreshing a pipe": [
    { type: "Pipe", before: adoptedPipe, args: adoptedPipe, isRefresh: true },
    ["getPipe", "refresh"],
  ],
};

/** The request of an operation, without the organization and the names of parameters. */
export function requestOf(id: OperationId): string {
  const { method, path } = endpoints[id];
  return `${method} ${path.replace("/v1/organizations/{organizationId}", "").replace(/\{\w+\}/g, "{id}")}`;
}

export const situations: Readonly<Record<string, Situation>> = Object.fromEntries(
  Object.entries(commands).flatMap(([name, [command, ...all]]) => {
    const requests = all.map(([operation]) => requestOf(operation));
    const { read }: Resource = resources[command.type].definition;
    return all.flatMap(([, requestKind, applied], faultAt) => {
      if (requestKind === undefined) return [];
      const situation = {
        ...command,
        read: read && requestOf(read),
        requests,
        faultAt,
        requestKind,
        applied,
      };
      return [[`${name}, ${requests[faultAt]?.trim()}`, situation]];
    });
  }),
);

const [example] = exampleSeed.organizations;
const [analytics] = example?.services ?? [];

/** The seed, with only the objects that the situations need. */
export const seed = {
  organizations: [
    {
      ...example,
      services: [{ ...analytics, pipes: analytics?.pipes?.filter(({ id }) => id === POSTGRES) }],
    },
  ],
} as unknown as Seed;
