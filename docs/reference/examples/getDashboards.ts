import * as clouddb from "pulumi-clouddb";

export const names = clouddb.getDashboardsOutput().dashboards.apply((all) => all.map(({ name }) => name));
