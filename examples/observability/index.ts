import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

// Reads an alert and dashboards. It manages no resources; other stacks can use its outputs.
// ../README.md describes how to run this.
const config = new pulumi.Config();

const alert = clouddb.getAlertOutput({ id: config.require("alertId") });
const { dashboards } = clouddb.getDashboardsOutput();

export const alertState = pulumi.interpolate`${alert.name}: ${alert.state}`;
export const tiles = dashboards.apply((all) =>
  Object.fromEntries(
    all.map(({ name, tiles: shown }) => [name, (shown ?? []).map((tile) => tile.name)]),
  ),
);
