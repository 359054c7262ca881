import * as clouddb from "pulumi-clouddb";

new clouddb.ServiceAccess("reporting", {
  serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  ipAccessList: [{ source: "192.0.2.0/28", description: "reporting jobs" }],
  privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"],
});
