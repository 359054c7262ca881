import * as clouddb from "pulumi-clouddb";

const service = clouddb.getServiceOutput({ serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" });
export const replicas = service.numReplicas;
