import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

// Two accounts in one program. Settings that a provider omits come from the configuration or the
// environment. ../README.md describes how to run this.
const config = new pulumi.Config();

const production = new clouddb.Provider("production", {
  baseUrl: config.require("productionUrl"),
  keySecret: config.requireSecret("productionSecret"),
});
const staging = new clouddb.Provider("staging", {
  baseUrl: config.require("stagingUrl"),
  keySecret: config.requireSecret("stagingSecret"),
  organizationId: config.require("stagingOrganizationId"),
});

const live = new clouddb.Service("live", { numReplicas: 3 }, { provider: production });
const trial = new clouddb.Service("trial", { numReplicas: 2 }, { provider: staging });

export const services = [live.id, trial.id];
/** Read with the same account that created the service. */
export const liveReplicas = clouddb.getServiceOutput(
  { serviceId: live.id },
  { provider: production },
).numReplicas;
