import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();

/**
 * The databases of one customer. The size is in the stack's configuration; everything else is the
 * same for all.
 */
const orders = new clouddb.Service("orders", {
  // Names consist of letters, digits and spaces.
  name: `orders ${pulumi.getStack().replace(/[^A-Za-z0-9]+/g, " ")}`,
  provider: "aws",
  region: "us-east-1",
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: config.getNumber("maxReplicaMemoryGb") ?? 32,
  numReplicas: config.getNumber("numReplicas") ?? 2,
  ipAccessList: config.getObject<{ source: string; description: string }[]>("access") ?? [
    { source: "203.0.113.0/24", description: "office" },
  ],
});

export const serviceId = orders.id;
