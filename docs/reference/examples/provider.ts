import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

const config = new pulumi.Config();
const provider = new clouddb.Provider("second-account", {
  keyId: config.require("secondKeyId"),
  keySecret: config.requireSecret("secondKeySecret"),
  organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
});

new clouddb.ServiceScaling("size", { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 3 }, { provider });
