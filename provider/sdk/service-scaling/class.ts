import type * as pulumi from "@pulumi/pulumi";
import type { ReadableDescription } from "../class-description";
import { serviceScalingTable } from "./class-table";
import type { ServiceScalingArgs } from "./types";

export interface ServiceScalingState {
  organizationId?: pulumi.Input<string>;
}

export const serviceScalingClass: ReadableDescription<ServiceScalingArgs, ServiceScalingState> = {
  name: "ServiceScaling",
  table: serviceScalingTable,
  adoptionHint: "it adopts the existing service that serviceId names",
  ownedObjects: ({ serviceId }, { id }) =>
    id === undefined ? [{ thing: "the scaling of service", id: serviceId }] : [],
  argumentsOf: (serviceId, state) => ({ ...state, serviceId }),
};
