import * as clouddb from "pulumi-clouddb";

new clouddb.Service("analytics", {
  minReplicaMemoryGb: 16, // of each replica
  maxReplicaMemoryGb: 64,
  numReplicas: 3,
  idleScaling: true, // to zero while nobody uses it
  idleTimeoutMinutes: 15,
});
