import * as clouddb from "pulumi-clouddb";

const events = new clouddb.Service("events", { endpoints: [{ protocol: "mysql", enabled: false }] });
export const endpoints = events.serviceEndpoints;
