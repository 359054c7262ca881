import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

// Adopts a service and the pipe that loads orders into it, and manages the size of the service. The
// API cannot create pipes: create them in the console. ../README.md describes how to run this.
const config = new pulumi.Config();

const warehouse = new clouddb.Service("warehouse", {
  existingServiceId: config.require("serviceId"),
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});

// A separate resource for scaling: its changes cannot affect anything else of the service.
const size = new clouddb.ServiceScaling("warehouse-size", {
  serviceId: warehouse.id,
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: config.getNumber("maxReplicaMemoryGb") ?? 64,
  numReplicas: 3,
});

const orders = new clouddb.Pipe("orders", {
  serviceId: warehouse.id,
  pipeId: config.require("pipeId"),
  source: {
    kafka: { credentials: { username: "reader", password: config.requireSecret("kafkaPassword") } },
  },
  settings: { streamingMaxInsertWaitMs: 5000 },
});

export const totalGb = pulumi
  .all([size.maxReplicaMemoryGb, size.numReplicas])
  .apply(([memory, replicas]) => memory * replicas);
export const state = orders.state;
