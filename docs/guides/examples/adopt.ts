import * as clouddb from "pulumi-clouddb";

new clouddb.Service("analytics", {
  existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  numReplicas: 3,
});
