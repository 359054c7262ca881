import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

// Everything here exists already. The first `pulumi up` reads it and changes only what differs from
// the program. ../README.md describes how to run this.
const config = new pulumi.Config();

const organization = new clouddb.Organization("organization", {
  name: "Example organization",
  privateEndpoints: [{ id: "vpce-0a1b2c3d4e5f60009", description: "new network" }],
});

const service = new clouddb.Service("analytics", {
  existingServiceId: config.require("serviceId"),
  numReplicas: 3,
});

const pipe = new clouddb.Pipe("orders", {
  serviceId: service.id,
  pipeId: config.require("pipeId"),
  name: "orders",
});

export const endpoints = organization.allPrivateEndpoints.apply((all = []) =>
  all.map(({ id }) => id),
);
export const name = service.name;
export const source = pipe.currentSource;
