import * as clouddb from "pulumi-clouddb";

const id = "vpce-0a1b2c3d4e5f60009";
const organization = new clouddb.Organization("organization", {
  privateEndpoints: [{ id, description: "data team" }],
});
new clouddb.Service("reports", { privateEndpointIds: [id] }, { dependsOn: organization });
