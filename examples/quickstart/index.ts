import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();

const analytics = new clouddb.Service(
  "analytics",
  {
    provider: "aws",
    region: "us-east-1",
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 32,
    numReplicas: config.getNumber("numReplicas") ?? 2,
    ipAccessList: [
      { source: "203.0.113.0/24", description: "office" },
      ...(config.getObject<{ source: string; description: string }[]>("moreAccess") ?? []),
    ],
  },
  // Services are protected by default. To stop managing this one: `pulumi config set retainOnDelete
  // true`, then `pulumi up`.
  { retainOnDelete: config.getBoolean("retainOnDelete") ?? false },
);

export const serviceId = analytics.id;
export const endpoints = analytics.serviceEndpoints;
/** A secret: `pulumi stack output password --show-secrets`. */
export const password = analytics.password;
