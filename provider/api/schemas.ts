import { z } from "zod";

/*
 * What responses look like. They stay open: fields that are not listed and new enum values pass, absent and null
 * fields are fine. A field of another type than the specification's is not: the answer cannot be trusted then.
 */

const text = z.string().nullish();
const amount = z.number().nullish();
const flag = z.boolean().nullish();
const list = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).nullish();

export const service = z.looseObject({
  id: z.string().min(1),
  name: text,
  engineVersion: text,
  endpoints: list(z.looseObject({ protocol: text, host: text, port: amount, username: text })),
  minTotalMemoryGb: amount,
  maxTotalMemoryGb: amount,
  minReplicaMemoryGb: amount,
  maxReplicaMemoryGb: amount,
  numReplicas: amount,
  idleScaling: flag,
  idleTimeoutMinutes: amount,
  ipAccessList: list(z.looseObject({ source: z.string(), description: text })),
  createdAt: text,
  encryptionKey: text,
  encryptionAssumedRoleIdentifier: text,
  iamRole: text,
  privateEndpointIds: list(z.string()),
  availablePrivateEndpointIds: list(z.string()),
  dataWarehouseId: text,
  isPrimary: flag,
  isReadonly: flag,
  byocId: text,
  hasTransparentDataEncryption: flag,
  transparentDataEncryptionKeyId: text,
  encryptionRoleId: text,
});

export const created = z.looseObject({ service, password: text });
