import * as clouddb from "pulumi-clouddb";

new clouddb.Service("analytics", {
  ipAccessList: [
    { source: "203.0.113.0/24", description: "office" },
    { source: "198.51.100.7", description: "build server" },
  ],
});
