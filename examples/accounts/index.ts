import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

// Two accounts in one program. What a provider does not say comes from the stack's configuration or the environment.
const config = new pulumi.Config();

const production = new clouddb.Provider("production", {
  baseUrl: config.require("productionUrl"),
  keySecret: config.requireSecret("productionSecret"),
});
const staging = new clouddb.Provider("staging", {
  baseUrl: config.require("stagingUrl"),
  keySecret: config.requireSecret("stagingSecret"),
});

const live = new clouddb.Service("live", { numReplicas: 3 }, { provider: production });
const trial = new clouddb.Service("trial", { numReplicas: 2 }, { provider: staging });

export const services = [live.id, trial.id];
/** Read through the same account as the service itself. */
export const liveReplicas = clouddb.getServiceOutput({ serviceId: live.id }, { provider: production }).numReplicas;
