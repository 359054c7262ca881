import * as clouddb from "pulumi-clouddb";

const serviceId = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const settings = clouddb.getPipeSettingsOutput({ serviceId, pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001" });
export const threads = settings.engineMaxThreads;
