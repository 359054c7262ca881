import * as clouddb from "pulumi-clouddb";

new clouddb.Service("analytics", { numReplicas: 3 }, { retainOnDelete: true });
