import * as clouddb from "pulumi-clouddb";

export const state = clouddb.getAlertOutput({ id: "alert-errors" }).state;
