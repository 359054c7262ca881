import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();
const staging = new clouddb.Provider("staging", {
  baseUrl: config.require("stagingUrl"),
  keyId: config.require("stagingKeyId"),
  keySecret: config.requireSecret("stagingKeySecret"),
});

const trial = new clouddb.Service("trial", { numReplicas: 2 }, { provider: staging });
export const replicas = clouddb.getServiceOutput({ serviceId: trial.id }, { provider: staging }).numReplicas;
