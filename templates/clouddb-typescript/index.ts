// Loads faster than all of "@pulumi/pulumi".
import { Config } from "@pulumi/pulumi/config";
import * as clouddb from "pulumi-clouddb";

const config = new Config();

const analytics = new clouddb.Service(
  "analytics",
  {
    provider: config.require("provider"),
    region: config.require("region"),
    minReplicaMemoryGb: config.requireNumber("minReplicaMemoryGb"),
    maxReplicaMemoryGb: config.requireNumber("maxReplicaMemoryGb"),
    numReplicas: config.requireNumber("numReplicas"),
    idleScaling: config.requireBoolean("idleScaling"),
    ipAccessList: [{ source: config.require("allowedNetwork"), description: "office" }],
  },
  // The API cannot delete services. To stop managing this one, set `retainOnDelete: true` instead
  // and run `pulumi up`.
  { protect: true },
);

export const serviceId = analytics.id;
export const endpoints = analytics.serviceEndpoints;
/** A secret: `pulumi stack output password --show-secrets`. */
export const password = analytics.password;
