import type * as pulumi from "@pulumi/pulumi";
import type { ReadableDescription } from "../class-description";
import { pipeTable } from "./class-table";
import type { PipeArgs } from "./types";

export interface PipeState {
  serviceId: pulumi.Input<string>;
  organizationId?: pulumi.Input<string>;
}

export const pipeClass: ReadableDescription<PipeArgs, PipeState> = {
  name: "Pipe",
  table: pipeTable,
  adoptionHint: "it adopts the existing pipe that pipeId names",
  ownedObjects: ({ pipeId }, { id }) => (id === undefined ? [{ thing: "pipe", id: pipeId }] : []),
  argumentsOf: (pipeId, state) => ({ ...state, pipeId }),
};
