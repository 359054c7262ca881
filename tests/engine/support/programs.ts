const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";

/**
 * Every resource type, with all sorts of arguments. The program of a recorded state never changes.
 */
export const EVERYTHING = `
  new clouddb.Service("created", {
    provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
    idleTimeoutMinutes: 10, encryptionKey: "disk-key", releaseChannel: "default",
    ipAccessList: [{ source: "203.0.113.0/24", description: "office" }, { source: "2001:db8::1" }],
    privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"], endpoints: [{ protocol: "mysql", enabled: true }],
  });
  new clouddb.Service("adopted", { existingServiceId: "${ID}", ipAccessList: [] });
  new clouddb.ServiceScaling("size", { serviceId: "${ID}", numReplicas: 4, idleScaling: false });
  new clouddb.Pipe("orders", {
    serviceId: "${ID}", pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001", name: "all orders",
    source: { kafka: { credentials: { username: "reader", password: "kafka-password" } } },
    settings: { streamingMaxInsertWaitMs: 5000 },
  });
  new clouddb.Organization("us", { name: "Renamed", privateEndpoints: [{ id: "vpce-9", description: "nine" }] });
`;
