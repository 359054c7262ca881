// Adopt a service that already exists, and manage its access list.
import * as clouddb from "pulumi-clouddb";

new clouddb.Service("reports", {
  existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});
