import * as clouddb from "pulumi-clouddb";

new clouddb.Service("db-5", {
  region: "us-east-1",
  existingServiceId: "a598a2ec-7a61-40b5-8b71-620736b0faf4", // found after the crash
});
