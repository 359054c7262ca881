import { z } from "zod";
import { operations } from "../api/operations";
import { isRecord, type Properties } from "../fields";
import { inProgramNames, shownSettings } from "../resources/pipe/settings";

/** The arguments and results of functions, from which their types and reference pages are generated. */
export interface FunctionDefinition {
  readonly doc: string;
  readonly operation: keyof typeof operations;
  /** The object that it reads, for sentences: `service 3f0c…`. */
  readonly displayName: (parameters: Readonly<Record<string, string>>) => string;
  readonly args: Readonly<Record<string, { readonly doc: string; readonly optional?: true }>>;
  /** The result as programs receive it. */
  readonly result: z.ZodType;
  /** Convert the response, where programs receive another form. */
  readonly toResult?: (found: Properties) => Properties;
}

const organizationId = {
  doc: "The ID of the organization. Defaults to the provider's organizationId.",
  optional: true,
} as const;
const pipeArgs = {
  organizationId,
  serviceId: { doc: "The ID of the service that the pipe writes to." },
  pipeId: { doc: "The ID of the pipe." },
};

export const functions = {
  getService: {
    doc: "Reads a service.",
    operation: "getService",
    displayName: ({ serviceId }) => `service ${serviceId}`,
    args: { organizationId, serviceId: { doc: "The ID of the service." } },
    result: operations.getService.result,
  },
  getPipe: {
    doc: "Reads a pipe.",
    operation: "getPipe",
    displayName: ({ pipeId }) => `pipe ${pipeId}`,
    args: pipeArgs,
    result: operations.getPipe.result.extend({ settings: shownSettings.optional() }),
    toResult: (found) => (isRecord(found.settings) ? { ...found, settings: inProgramNames(found.settings) } : found),
  },
  getPipeSettings: {
    doc: "Reads all settings of a pipe.",
    operation: "getPipeSettings",
    displayName: ({ pipeId }) => `the settings of pipe ${pipeId}`,
    args: pipeArgs,
    result: shownSettings,
    toResult: inProgramNames,
  },
  getAlert: {
    doc: "Reads an alert of the observability API.",
    operation: "getAlert",
    displayName: ({ id }) => `alert ${id}`,
    args: { id: { doc: "The ID of the alert." } },
    result: operations.getAlert.result,
  },
  getDashboards: {
    doc: "Lists the dashboards of the observability API, with their tiles.",
    operation: "getDashboards",
    displayName: () => "the dashboards",
    args: {},
    result: z.object({ dashboards: operations.getDashboards.result }),
    toResult: (dashboards) => ({ dashboards }),
  },
} satisfies Readonly<Record<string, FunctionDefinition>>;
