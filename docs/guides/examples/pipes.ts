import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();
const orders = new clouddb.Pipe("orders", {
  serviceId: config.require("serviceId"),
  pipeId: config.require("pipeId"),
  source: { kafka: { credentials: { username: "reader", password: config.requireSecret("kafkaPassword") } } },
  settings: { streamingMaxInsertWaitMs: 5000 },
});
export const state = orders.state;
