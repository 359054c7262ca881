import * as clouddb from "pulumi-clouddb";

new clouddb.Service("analytics", {
  provider: "aws",
  region: "us-east-1",
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 32,
  numReplicas: 3,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});
