import { z } from "zod";
import type { Api, Client, Operation } from "../api";
import { operations } from "../api/operations";
import { describeFailure, describeInvalidFields, UserError } from "../core/user-error";
import { coded, type Message } from "../errors";
import { invalidPaths, isRecord, type Properties, withoutAbsent } from "../fields";
import { uuid } from "../fields/shapes";
import { inProgramNames, shownSettings } from "./pipe/settings";

/** An id in the path of the request. */
interface FunctionArgument {
  readonly doc: string;
  readonly schema: z.ZodType<string>;
  readonly optional?: true;
}

/** The arguments and results of functions, from which their types and reference pages are generated. */
export interface FunctionDefinition {
  readonly doc: string;
  readonly operation: keyof typeof operations;
  /** The object that it reads, for sentences: `service 3f0c…`. */
  readonly displayName: (parameters: Readonly<Record<string, string>>) => string;
  readonly args: Readonly<Record<string, FunctionArgument>>;
  /** The result as programs receive it. */
  readonly result: z.ZodType;
  /** Convert the response, where programs receive another form. */
  readonly toResult?: (response: Properties) => Properties;
}

const organizationId = {
  doc: "The ID of the organization. Defaults to the provider's organizationId.",
  schema: uuid(),
  optional: true,
} as const;
const pipeArgs = {
  organizationId,
  serviceId: { doc: "The ID of the service that the pipe writes to.", schema: uuid() },
  pipeId: { doc: "The ID of the pipe.", schema: uuid() },
};

/** Any text, as the specification says, but for what is more likely a secret or a whole document. */
const ALERT_ID = "must consist of letters, digits and .:_~-, with at most 200 characters";
const alertId = z.string(ALERT_ID).regex(/^[\w.:~-]{1,200}$/, ALERT_ID);

export const functions = {
  getService: {
    doc: "Reads a service.",
    operation: "getService",
    displayName: ({ serviceId }) => `service ${serviceId}`,
    args: { organizationId, serviceId: { doc: "The ID of the service.", schema: uuid() } },
    result: operations.getService.result,
  },
  getPipe: {
    doc: "Reads a pipe.",
    operation: "getPipe",
    displayName: ({ pipeId }) => `pipe ${pipeId}`,
    args: pipeArgs,
    result: operations.getPipe.result.extend({ settings: shownSettings.optional() }),
    toResult: (response) =>
      isRecord(response.settings) ? { ...response, settings: inProgramNames(response.settings) } : response,
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
    args: { id: { doc: "The ID of the alert.", schema: alertId } },
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

type Parameters = Readonly<Record<string, string>>;

/** Sends the GET request of a function, and makes its result of the response. */
export async function readResult(
  name: keyof typeof functions,
  values: Parameters,
  clientFor: (api: Api) => Client,
  warn: (line: Message) => void,
): Promise<Properties> {
  const { args, operation: operationName, displayName, toResult }: FunctionDefinition = functions[name];
  const parameters = checkedIds(name, args, values);
  const operation: Operation = operations[operationName];
  const thing = displayName(parameters);
  try {
    const response = (await clientFor(operation.api).call(operation, parameters)) as Properties;
    const warning = describeInvalidFields(thing, invalidPaths(response));
    if (warning !== undefined) warn(warning);
    const result = withoutAbsent(response);
    return toResult?.(result) ?? result;
  } catch (error) {
    throw new UserError(describeFailure(`Reading ${thing}`, error));
  }
}

/** The ids in their one form. Text that is no id may be anything, a secret too: it is neither sent nor repeated. */
function checkedIds(name: string, args: FunctionDefinition["args"], values: Parameters): Parameters {
  return Object.fromEntries(
    Object.entries(args).map(([arg, { schema }]) => {
      const { success, data, error } = schema.safeParse(values[arg]);
      if (success) return [arg, data];
      const rule = String(error.issues[0]?.message);
      throw new UserError(coded("CDB1003", `The argument ${arg} of ${name} is invalid: ${rule}.`));
    }),
  );
}
