import * as pulumi from "@pulumi/pulumi";
import { settingKey, settingVariable } from "../../names";
import type { ClassDescription } from "../class-description";
import { organizationTable } from "./class-table";
import type { OrganizationArgs } from "./types";

export const organizationClass: ClassDescription<OrganizationArgs> = {
  name: "Organization",
  table: organizationTable,
  adoptionHint: "it adopts the existing organization that organizationId names",
  ownedObjects({ organizationId }, opts) {
    const fallback = defaultOrganization(opts);
    return [{ thing: "organization", id: pulumi.output(organizationId).apply((id) => id ?? fallback) }];
  },
};

/** The organization of the default provider. Which provider a parent passes on is unknown here. */
function defaultOrganization(opts: pulumi.CustomResourceOptions): string | undefined {
  if (opts.provider !== undefined || opts.parent !== undefined) return undefined;
  return pulumi.runtime.getConfig(settingKey("organizationId")) || process.env[settingVariable("organizationId")];
}
