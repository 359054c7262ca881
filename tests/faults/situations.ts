import type { ResourceType } from "../../provider/lifecycle/resource-type";
import { organization } from "../../provider/resources/organization/lifecycle";
import { pipe } from "../../provider/resources/pipe/lifecycle";
import { service } from "../../provider/resources/service/lifecycle";
import { serviceScaling } from "../../provider/resources/service-scaling/lifecycle";
import type { Seed } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";
import type { Properties } from "../contract/support";
import type { Sort } from "./expectation";

/** The requests of all operations that a fault can meet, each in the command that sends it. */

export type KindName = "service" | "serviceScaling" | "organization" | "pipe";
export const kinds: Readonly<Record<KindName, ResourceType>> = { service, serviceScaling, organization, pipe };

export interface Situation {
  readonly kind: KindName;
  /** What the program declared before, where the resource is in the stack already. */
  readonly before?: Properties;
  readonly args: Properties;
  /** The requests of the command when nothing goes wrong. */
  readonly plan: readonly string[];
  /** Which of them meets the fault, and what sort of request that is. */
  readonly meets: number;
  readonly sort: Sort;
  /** How the object is read, where it can be. */
  readonly looks?: string;
  /** The command is a refresh. */
  readonly isRefresh?: true;
  /** What the server has once the request was carried out: a member of the object, and its value. */
  readonly shows?: readonly [path: string, value: string | number];
}

export const ADOPTED = "a1b2c3d4-0001-4a53-9c1e-000000000001";
export const POSTGRES = "b1b2c3d4-0004-4a53-9c1e-000000000004";
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
const aPipe = { serviceId: ADOPTED, pipeId: POSTGRES };
const mapping = (table: string) => ({
  sourceSchemaName: "public",
  sourceTable: table,
  targetTable: table,
});

const ofService = { kind: "service", looks: GET } as const;
const ofScaling = { kind: "serviceScaling", looks: GET } as const;
const ofPipe = { kind: "pipe", looks: GET_PIPE } as const;
const ofOrganization = { kind: "organization", plan: [PATCH_ORGANIZATION], meets: 0 } as const;

export const situations: Readonly<Record<string, Situation>> = {
  "creating a service": { ...ofService, args: created, plan: [POST], meets: 0, sort: "create", shows: ["name", "db"] },
  "creating a service, its second request": {
    ...ofService,
    args: { ...created, privateEndpointIds: [endpoint] },
    plan: [POST, PATCH],
    meets: 1,
    sort: "list",
    shows: ["privateEndpointIds.0", endpoint],
  },
  "changing a service's name": {
    ...ofService,
    before: created,
    args: { ...created, name: "other" },
    plan: [PATCH],
    meets: 0,
    sort: "set",
    shows: ["name", "other"],
  },
  "changing a service's access list": {
    ...ofService,
    before: created,
    args: { ...created, ipAccessList: [ci] },
    plan: [PATCH],
    meets: 0,
    sort: "list",
    shows: ["ipAccessList.0.source", ci.source],
  },
  "changing a service's scaling": {
    ...ofService,
    before: created,
    args: { ...created, numReplicas: 5 },
    plan: [SCALE],
    meets: 0,
    sort: "set",
    shows: ["numReplicas", 5],
  },
  "changing both, the first request": {
    ...ofService,
    before: created,
    args: { ...created, name: "other", numReplicas: 5 },
    plan: [PATCH, SCALE],
    meets: 0,
    sort: "set",
    shows: ["name", "other"],
  },
  "changing both, the second request": {
    ...ofService,
    before: created,
    args: { ...created, name: "other", numReplicas: 5 },
    plan: [PATCH, SCALE],
    meets: 1,
    sort: "set",
    shows: ["numReplicas", 5],
  },
  "taking over a service, the read": {
    ...ofService,
    args: { ...adopted, numReplicas: 4 },
    plan: [GET, SCALE],
    meets: 0,
    sort: "read",
  },
  "taking over a service, the change": {
    ...ofService,
    args: { ...adopted, numReplicas: 4 },
    plan: [GET, SCALE],
    meets: 1,
    sort: "set",
    shows: ["numReplicas", 4],
  },
  "taking over a service, its access list": {
    ...ofService,
    args: { ...adopted, ipAccessList: [ci] },
    plan: [GET, PATCH],
    meets: 1,
    sort: "list",
    shows: ["ipAccessList.0.source", ci.source],
  },
  "taking over a scaling, the read": {
    ...ofScaling,
    args: { ...scaling, numReplicas: 4 },
    plan: [GET, SCALE],
    meets: 0,
    sort: "read",
  },
  "taking over a scaling, the change": {
    ...ofScaling,
    args: { ...scaling, numReplicas: 4 },
    plan: [GET, SCALE],
    meets: 1,
    sort: "set",
    shows: ["numReplicas", 4],
  },
  "changing a scaling": {
    ...ofScaling,
    before: scaling,
    args: { ...scaling, numReplicas: 4 },
    plan: [SCALE],
    meets: 0,
    sort: "set",
    shows: ["numReplicas", 4],
  },
  "taking over a pipe, the read": {
    ...ofPipe,
    args: { ...aPipe, name: "other" },
    plan: [GET_PIPE, PATCH_PIPE],
    meets: 0,
    sort: "read",
  },
  "taking over a pipe, the change": {
    ...ofPipe,
    args: { ...aPipe, name: "other" },
    plan: [GET_PIPE, PATCH_PIPE],
    meets: 1,
    sort: "set",
    shows: ["name", "other"],
  },
  "changing a pipe's settings": {
    ...ofPipe,
    before: { ...aPipe, settings: { streamingMaxInsertWaitMs: 1000 } },
    args: { ...aPipe, settings: { streamingMaxInsertWaitMs: 5000 } },
    plan: [PATCH_PIPE],
    meets: 0,
    sort: "set",
    shows: ["settings.streaming_max_insert_wait_ms", 5000],
  },
  "changing a pipe's tables": {
    ...ofPipe,
    before: { ...aPipe, source: { postgres: { tableMappings: [mapping("a")] } } },
    args: { ...aPipe, source: { postgres: { tableMappings: [mapping("b")] } } },
    plan: [PATCH_PIPE],
    meets: 0,
    sort: "list",
    shows: ["source.postgres.tableMappings.0.sourceTable", "b"],
  },
  "naming an organization": { ...ofOrganization, args: { name: "other" }, sort: "set", shows: ["name", "other"] },
  "renaming an organization": {
    ...ofOrganization,
    before: { name: "other" },
    args: { name: "another" },
    sort: "set",
    shows: ["name", "another"],
  },
  "changing an organization's endpoints": {
    ...ofOrganization,
    before: { privateEndpoints: [{ id: "vpce-8", description: "eight" }] },
    args: { privateEndpoints: [{ id: "vpce-9", description: "nine" }] },
    sort: "blind",
    shows: ["privateEndpoints.2.id", "vpce-9"],
  },
  "refreshing a service": {
    ...ofService,
    before: created,
    args: created,
    isRefresh: true,
    plan: [GET],
    meets: 0,
    sort: "refresh",
  },
  "refreshing a scaling": {
    ...ofScaling,
    before: scaling,
    args: scaling,
    isRefresh: true,
    plan: [GET],
    meets: 0,
    sort: "refresh",
  },
  "refreshing a pipe": {
    ...ofPipe,
    before: aPipe,
    args: aPipe,
    isRefresh: true,
    plan: [GET_PIPE],
    meets: 0,
    sort: "refresh",
  },
};

const [example] = seed.organizations;
const [analytics] = example?.services ?? [];

/** A world with just what the situations are about. */
export const world = {
  organizations: [
    { ...example, services: [{ ...analytics, pipes: analytics?.pipes?.filter(({ id }) => id === POSTGRES) }] },
  ],
} as unknown as Seed;
