import * as clouddb from "pulumi-clouddb";

new clouddb.Service("reports", { numReplicas: 3 }, { aliases: [{ name: "analytics" }] });
