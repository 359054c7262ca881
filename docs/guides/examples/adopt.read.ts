import * as clouddb from "pulumi-clouddb";

const shared = clouddb.Service.get("shared", "a1b2c3d4-0001-4a53-9c1e-000000000001");
export const endpoints = shared.serviceEndpoints;
