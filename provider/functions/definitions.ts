import { z } from "zod";
import { operations } from "../api/operations";
import { isRecord, type Properties } from "../fields";
import { inProgramNames, shownSettings } from "../resources/pipe/settings";

/** The arguments and results of functions, from which their types and reference pages are generated. */
export interface FunctionDefinition {
  readonly doc: string;
  readonly operation: keyof typeof operations;
  readonly args: Readonly<Record<string, { readonly doc: string; readonly optional?: true }>>;
  /** What is read, in sentences. */
  readonly displayName: (parameters: Readonly<Record<string, string>>) => string;
  /** The result as programs receive it. */
  readonly result: z.ZodType;
  /** Makes it from the response, where programs receive another form. */
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
    args: { organizationId, serviceId: { doc: "The ID of the service." } },
    displayName: ({ serviceId }) => `service ${serviceId}`,
    result: operations.getService.result,
  },
  getPipe: {
    doc: "Reads a pipe.",
    operation: "getPipe",
    args: pipeArgs,
    displayName: ({ pipeId }) => `pipe ${pipeId}`,
    result: operations.getPipe.result.extend({ settings: shownSettings.optional() }),
    toResult: (found) => (isRecord(found.settings) ? { ...found, settings: inProgramNames(found.settings) } : found),
  },
  getPipeSettings: {
    doc: "Reads all settings of a pipe.",
    operation: "getPipeSettings",
    args: pipeArgs,
    displayName: ({ pipeId }) => `the settings of pipe ${pipeId}`,
    result: shownSettings,
    toResult: inProgramNames,
  },
  getAlert: {
    doc: "Reads an alert of the observability API.",
    operation: "getAlert",
    args: { id: { doc: "The ID of the alert." } },
    displayName: ({ id }) => `alert ${id}`,
    result: operations.getAlert.result,
  },
  getDashboards: {
    doc: "Lists the dashboards of the observability API, with their tiles.",
    operation: "getDashboards",
    args: {},
    displayName: () => "the dashboards",
    result: z.object({ dashboards: operations.getDashboards.result }),
    toResult: (dashboards) => ({ dashboards }),
  },
} satisfies Readonly<Record<string, FunctionDefinition>>;
