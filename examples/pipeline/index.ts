import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

// A service that loads orders: the service, its size, and the pipe that feeds it. Pipes are made in the provider's
// console and managed from here; so is the service that a pipe belongs to.
const config = new pulumi.Config();

const warehouse = new clouddb.Service("warehouse", {
  existingServiceId: config.require("serviceId"),
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});

// The size is apart from the service, so that a team can change it without touching anything else.
const size = new clouddb.ServiceScaling("warehouse-size", {
  serviceId: warehouse.id,
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: config.getNumber("maxReplicaMemoryGb") ?? 64,
  numReplicas: 3,
});

const orders = new clouddb.Pipe("orders", {
  serviceId: warehouse.id,
  pipeId: config.require("pipeId"),
  source: { kafka: { credentials: { username: "reader", password: config.requireSecret("kafkaPassword") } } },
  settings: { streamingMaxInsertWaitMs: 5000 },
});

export const totalGb = pulumi
  .all([size.maxReplicaMemoryGb, size.numReplicas])
  .apply(([memory, replicas]) => memory * replicas);
export const state = orders.state;
