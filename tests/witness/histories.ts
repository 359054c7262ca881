import { loseRequest, loseResponse, type Properties, refuse } from "../contract/support";
import { EXAMPLE } from "../support/example";
import type { Command, Program } from "./history";

/**
 * Stacks with each type of resource, half-done operations, lost creations, and entries of several
 * owners.
 */

const office = { source: "203.0.113.0/24", description: "office" };
const home = { source: "2001:db8::1" };
const jobs = { source: "192.0.2.0/28", description: "jobs" };
const endpoint = "vpce-0a1b2c3d4e5f60001";

const service = (args: Properties): Program => ({ db: { type: "Service", args } });
const access = (args: Properties, name = "access"): Program => ({
  [name]: { type: "ServiceAccess", args: { serviceId: EXAMPLE.service, ...args } },
});
const pipe = (args: Properties): Program => ({
  orders: {
    type: "Pipe",
    args: { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka, ...args },
  },
});
const organization = (args: Properties): Program => ({ us: { type: "Organization", args } });
const kafka = (credentials: Properties) => ({ source: { kafka: { credentials } } });

const created = {
  name: "created",
  provider: "aws",
  region: "us-east-1",
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 32,
  numReplicas: 3,
  idleTimeoutMinutes: 10,
  ipAccessList: [office, home],
  releaseChannel: "fast",
  encryptionKey: "disk-key",
  endpoints: [{ protocol: "mysql", enabled: true }],
  privateEndpointIds: [endpoint],
};
const small = { name: "small", numReplicas: 3, ipAccessList: [office, home] };
const adopted = { existingServiceId: EXAMPLE.service, name: "adopted", ipAccessList: [office] };
const loaded = {
  name: "all orders",
  settings: { streamingMaxInsertWaitMs: 5000 },
  ...kafka({ username: "reader", password: "kafka-password" }),
};
const renamed = { name: "Renamed", privateEndpoints: [{ id: "vpce-9", description: "nine" }] };
const shared = {
  ipAccessList: [{ ...office, description: "the office" }, jobs],
  privateEndpointIds: [endpoint],
};
const open = {
  existingServiceId: EXAMPLE.service,
  ipAccessList: [{ source: "0.0.0.0/0" }, office],
};
const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAj/Y0HYX70jQD6n65ujj1
zSrQJLo0iyki8VPgGKhaE1ILTuIYVQJfjIyE6Xrno8V10XPrOndDSLepSJ+J+LaH
276VPbwovSRDm/xVHf7Ep/hlhSJx3D07ptuNDH3Q2QizLFI599MnVgAKAcm5UH1B
q4P1silbEtRTcx3xlTz7sQ8dkXvxZJrGe2/CwcK7YoYan9b4av4UIey3thGeG7s7
N8IhePLWR4ZnYZwHd3int+mhFl3ceWZLxa7QTdk+cowSQ42RBwo1IiN0OyJ86FMV
D7Qvf/jN5ekFysqye/MoQcTqgglpu7GX8mfQaG5qruvxL/pxLOfbNaWhhWEClWAb
8wIDAQAB
-----END PUBLIC KEY-----
`;
const encrypted = { name: "encrypted", numReplicas: 3, passwordPublicKey: PUBLIC_KEY };
const refresh: Command = {};

export const histories: Readonly<Record<string, readonly Command[]>> = {
  "a service": [{ program: service(created) }, refresh],
  "a service that leaves the program": [{ program: service(small) }, { program: {} }],
  "a service whose private endpoints were refused": [
    { program: service(created), faults: [refuse("PATCH", 403)] },
  ],
  "a service whose scaling was refused": [
    { program: service(small) },
    { program: service({ ...small, numReplicas: 5 }), faults: [refuse("PATCH", 403)] },
  ],
  "a service with a lost access list": [
    { program: service(small) },
    {
      program: service({ ...small, ipAccessList: [{ source: "192.0.2.1" }] }),
      faults: [loseRequest("PATCH")],
    },
  ],
  "an adopted service": [{ program: service(adopted) }, refresh],
  "an adopted service that leaves the program": [{ program: service(adopted) }, { program: {} }],
  "secrets by reference": [
    {
      program: {
        ...service({ name: "referring", encryptionKeyFromEnvironment: "DISK_KEY" }),
        ...pipe(kafka({ username: "reader", passwordFromEnvironment: "ORDERS_PASSWORD" })),
      },
    },
    refresh,
  ],
  "a scaling": [
    {
      program: {
        size: { type: "ServiceScaling", args: { serviceId: EXAMPLE.service, numReplicas: 4 } },
      },
    },
    refresh,
  ],
  "a pipe": [{ program: pipe(loaded) }, refresh],
  "a pipe with lost credentials": [{ program: pipe(loaded), faults: [loseRequest("PATCH")] }],
  "an organization": [{ program: organization(renamed) }, refresh],
  "an organization with a lost update": [
    { program: organization(renamed) },
    {
      program: organization({ name: "Other", privateEndpoints: [{ id: "vpce-10" }] }),
      faults: [loseRequest("PATCH")],
    },
  ],
  "shared access": [{ program: access(shared) }, refresh],
  "shared access with a lost update": [
    { program: access(shared) },
    {
      program: access({ ipAccessList: [{ source: "192.0.2.16/28" }] }),
      faults: [loseRequest("PATCH")],
    },
  ],
  "access of two stacks to one service": [
    { program: access(shared) },
    { program: access({ ...shared, ipAccessList: [jobs, home] }), stack: "production" },
    refresh,
    { program: access({ ipAccessList: [home] }) },
    { stack: "production" },
    { program: {} },
  ],
  "access to a service that another stack opens to everyone": [
    { program: service(open), stack: "owner" },
    { program: access({ ipAccessList: [office, jobs], privateEndpointIds: [endpoint] }) },
    { program: service({ ...open, ipAccessList: [office] }), stack: "owner" },
    refresh,
  ],
  "access that is renamed and divided": [
    { program: access({ ipAccessList: [jobs, home] }) },
    {
      program: {
        ...access({ ipAccessList: [jobs] }, "jobs"),
        ...access({ ipAccessList: [home] }, "home"),
      },
    },
  ],
  "a creation that the stack has not stored": [{ program: service(created), isLost: true }],
  "a creation without a response": [{ program: service(small), faults: [loseResponse("POST")] }],
  "an encrypted password": [{ program: service(encrypted) }, refresh],
  "an encrypted password that the stack has not stored": [
    { program: service(encrypted), isLost: true },
  ],
};
