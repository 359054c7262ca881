import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

// Lets one team reach a service that another team owns. Each team has a stack of its own: it adds
// and removes its own networks, and never touches those of the others. ../README.md describes how
// to run this.
const config = new pulumi.Config();
const team = pulumi.getStack();

const access = new clouddb.ServiceAccess("access", {
  serviceId: config.require("serviceId"),
  ipAccessList: config
    .requireObject<string[]>("networks")
    .map((source) => ({ source, description: `team ${team}` })),
});

export const alreadyThere = access.sharedSources;
