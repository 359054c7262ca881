import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

new clouddb.Pipe("orders", {
  serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001",
  source: { kafka: { credentials: { username: "reader", password: new pulumi.Config().requireSecret("kafka") } } },
  settings: { streamingMaxInsertWaitMs: 5000 },
});
