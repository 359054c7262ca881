import * as clouddb from "pulumi-clouddb";

new clouddb.Organization("organization", {
  name: "Example organization",
  privateEndpoints: [{ id: "vpce-0a1b2c3d4e5f60009", description: "new network" }],
});
