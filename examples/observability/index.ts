import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

// Reads what watches the databases: no resources, only outputs that other stacks or a report can use.
const config = new pulumi.Config();

const alert = clouddb.getAlertOutput({ id: config.require("alertId") });
const { dashboards } = clouddb.getDashboardsOutput();

export const alertState = pulumi.interpolate`${alert.name}: ${alert.state}`;
export const tiles = dashboards.apply((all) =>
  Object.fromEntries(all.map(({ name, tiles: shown }) => [name, (shown ?? []).map((tile) => tile.name)])),
);
