import type { Resource } from "../../provider/core/resource";
import { organization } from "../../provider/resources/organization/organization";
import { pipe } from "../../provider/resources/pipe/pipe";
import { service } from "../../provider/resources/service/service";
import { serviceAccess } from "../../provider/resources/service-access/service-access";
import { serviceScaling } from "../../provider/resources/service-scaling/service-scaling";
import type { Seed } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import type { Properties } from "../support/adapters/handlers";
import { EXAMPLE } from "../support/example";
import type { RequestKind } from "./expectation";

/** Every request that a fault can hit, in the command that sends it. */

export type ResourceTypeName = "service" | "serviceScaling" | "serviceAccess" | "organization" | "pipe";
export const resourceTypes: Readonly<Record<ResourceTypeName, Resource>> = {
  service,
  serviceScaling,
  serviceAccess,
  organization,
  pipe,
};

export interface Situation {
  readonly type: ResourceTypeName;
  /** The previous declaration, if the resource is already in the stack. */
  readonly before?: Properties;
  readonly args: Properties;
  /** The requests of the command when nothing fails. */
  readonly requests: readonly string[];
  /** Which of them hits the fault, and what kind of request that is. */
  readonly faultAt: number;
  readonly requestKind: RequestKind;
  /** The request that reads the object, if it can be read. */
  readonly read?: string;
  /** The command is a refresh. */
  readonly isRefresh?: true;
  /** The trace of the applied request on the server: a path in the object, and its value. */
  readonly applied?: readonly [path: string, value: string | number];
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
const access = { serviceId: ADOPTED, ipAccessList: [office, ci] };
const adoptedPipe = { serviceId: ADOPTED, pipeId: POSTGRES };
const mapping = (table: string) => ({
  sourceSchemaName: "public",
  sourceTable: table,
  targetTable: table,
});

const ofService = { type: "service", read: GET } as const;
const ofScaling = { type: "serviceScaling", read: GET } as const;
const ofAccess = { type: "serviceAccess", read: GET } as const;
const ofPipe = { type: "pipe", read: GET_PIPE } as const;
const ofOrganization = { type: "organization", requests: [PATCH_ORGANIZATION], faultAt: 0 } as const;

export const situations: Readonly<Record<string, Situation>> = {
  "creating a service": {
    ...ofService,
    args: created,
    requests: [POST],
    faultAt: 0,
    requestKind: "create",
    applied: ["name", "db"],
  },
  "creating a service, the second request": {
    ...ofService,
    args: { ...created, privateEndpointIds: [endpoint] },
    requests: [POST, PATCH],
    faultAt: 1,
    requestKind: "list",
    applied: ["privateEndpointIds.0", endpoint],
  },
  "changing a service's name": {
    ...ofService,
    before: created,
    args: { ...created, name: "other" },
    requests: [PATCH],
    faultAt: 0,
    requestKind: "update",
    applied: ["name", "other"],
  },
  "changing a service's access list": {
    ...ofService,
    before: created,
    args: { ...created, ipAccessList: [ci] },
    requests: [PATCH],
    faultAt: 0,
    requestKind: "list",
    applied: ["ipAccessList.0.source", ci.source],
  },
  "changing a service's scaling": {
    ...ofService,
    before: created,
    args: { ...created, numReplicas: 5 },
    requests: [SCALE],
    faultAt: 0,
    requestKind: "update",
    applied: ["numReplicas", 5],
  },
  "changing name and scaling, the first request": {
    ...ofService,
    before: created,
    args: { ...created, name: "other", numReplicas: 5 },
    requests: [PATCH, SCALE],
    faultAt: 0,
    requestKind: "update",
    applied: ["name", "other"],
  },
  "changing name and scaling, the second request": {
    ...ofService,
    before: created,
    args: { ...created, name: "other", numReplicas: 5 },
    requests: [PATCH, SCALE],
    faultAt: 1,
    requestKind: "update",
    applied: ["numReplicas", 5],
  },
  "adopting a service, the read": {
    ...ofService,
    args: { ...adopted, numReplicas: 4 },
    requests: [GET, SCALE],
    faultAt: 0,
    requestKind: "read",
  },
  "adopting a service, the change": {
    ...ofService,
    args: { ...adopted, numReplicas: 4 },
    requests: [GET, SCALE],
    faultAt: 1,
    requestKind: "update",
    applied: ["numReplicas", 4],
  },
  "adopting a service, the access list": {
    ...ofService,
    args: { ...adopted, ipAccessList: [ci] },
    requests: [GET, PATCH],
    faultAt: 1,
    requestKind: "list",
    applied: ["ipAccessList.0.source", ci.source],
  },
  "adopting a scaling, the read": {
    ...ofScaling,
    args: { ...scaling, numReplicas: 4 },
    requests: [GET, SCALE],
    faultAt: 0,
    requestKind: "read",
  },
  "adopting a scaling, the change": {
    ...ofScaling,
    args: { ...scaling, numReplicas: 4 },
    requests: [GET, SCALE],
    faultAt: 1,
    requestKind: "update",
    applied: ["numReplicas", 4],
  },
  "changing a scaling": {
    ...ofScaling,
    before: scaling,
    args: { ...scaling, numReplicas: 4 },
    requests: [SCALE],
    faultAt: 0,
    requestKind: "update",
    applied: ["numReplicas", 4],
  },
  "adding access, the read": {
    ...ofAccess,
    args: access,
    requests: [GET, PATCH],
    faultAt: 0,
    requestKind: "read",
  },
  "adding access, the change": {
    ...ofAccess,
    args: access,
    requests: [GET, PATCH],
    faultAt: 1,
    requestKind: "list",
    applied: ["ipAccessList.2.source", ci.source],
  },
  "changing access": {
    ...ofAccess,
    before: access,
    args: { ...access, ipAccessList: [{ source: "192.0.2.1" }] },
    requests: [PATCH],
    faultAt: 0,
    requestKind: "list",
    applied: ["ipAccessList.2.source", "192.0.2.1"],
  },
  "adopting a pipe, the read": {
    ...ofPipe,
    args: { ...adoptedPipe, name: "other" },
    requests: [GET_PIPE, PATCH_PIPE],
    faultAt: 0,
    requestKind: "read",
  },
  "adopting a pipe, the change": {
    ...ofPipe,
    args: { ...adoptedPipe, name: "other" },
    requests: [GET_PIPE, PATCH_PIPE],
    faultAt: 1,
    requestKind: "update",
    applied: ["name", "other"],
  },
  "changing a pipe's settings": {
    ...ofPipe,
    before: { ...adoptedPipe, settings: { streamingMaxInsertWaitMs: 1000 } },
    args: { ...adoptedPipe, settings: { streamingMaxInsertWaitMs: 5000 } },
    requests: [PATCH_PIPE],
    faultAt: 0,
    requestKind: "update",
    applied: ["settings.streaming_max_insert_wait_ms", 5000],
  },
  "changing a pipe's tables": {
    ...ofPipe,
    before: { ...adoptedPipe, source: { postgres: { tableMappings: [mapping("a")] } } },
    args: { ...adoptedPipe, source: { postgres: { tableMappings: [mapping("b")] } } },
    requests: [PATCH_PIPE],
    faultAt: 0,
    requestKind: "list",
    applied: ["source.postgres.tableMappings.0.sourceTable", "b"],
  },
  "naming an organization": {
    ...ofOrganization,
    args: { name: "other" },
    requestKind: "update",
    applied: ["name", "other"],
  },
  "renaming an organization": {
    ...ofOrganization,
    before: { name: "other" },
    args: { name: "another" },
    requestKind: "update",
    applied: ["name", "another"],
  },
  "changing an organization's endpoints": {
    ...ofOrganization,
    before: { privateEndpoints: [{ id: "vpce-8", description: "eight" }] },
    args: { privateEndpoints: [{ id: "vpce-9", description: "nine" }] },
    requestKind: "unreadable",
    applied: ["privateEndpoints.2.id", "vpce-9"],
  },
  "refreshing a service": {
    ...ofService,
    before: created,
    args: created,
    isRefresh: true,
    requests: [GET],
    faultAt: 0,
    requestKind: "refresh",
  },
  "refreshing a scaling": {
    ...ofScaling,
    before: scaling,
    args: scaling,
    isRefresh: true,
    requests: [GET],
    faultAt: 0,
    requestKind: "refresh",
  },
  "refreshing access": {
    ...ofAccess,
    before: access,
    args: access,
    isRefresh: true,
    requests: [GET],
    faultAt: 0,
    requestKind: "refresh",
  },
  "refreshing a pipe": {
    ...ofPipe,
    before: adoptedPipe,
    args: adoptedPipe,
    isRefresh: true,
    requests: [GET_PIPE],
    faultAt: 0,
    requestKind: "refresh",
  },
};

const [example] = exampleSeed.organizations;
const [analytics] = example?.services ?? [];

/** Only what the situations need. */
export const seed = {
  organizations: [
    { ...example, services: [{ ...analytics, pipes: analytics?.pipes?.filter(({ id }) => id === POSTGRES) }] },
  ],
} as unknown as Seed;
