import { z } from "zod";
import { endpoints, type Operation } from "../api/endpoints";
import { ApiError, NOT_FOUND } from "../api/errors";
import * as schemas from "../api/schemas";
import { describeInvalidFields } from "../core/object/messages";
import { describeFailure, UserError, userError } from "../core/object/user-error";
import { missingSettings } from "../core/session/create-client";
import type { Session } from "../core/session/session";
import type { ReadSettings } from "../core/session/settings";
import { coded, joinProblems } from "../errors";
import { invalidPaths, isRecord, type Properties, uuid, withoutAbsent } from "../fields";
import { unknownArguments } from "../mistakes";
import { settingName } from "../names";
import { inProgramNames, shownSettings } from "./pipe/pipe";

/** An id in the request's path. */
interface FunctionArgument {
  readonly description: string;
  readonly schema: z.ZodType<string>;
  readonly optional?: true;
}

/** The arguments and results of functions, the source of types and reference pages. */
export interface FunctionDefinition {
  /** The function's documentation, except for requests and secrets. */
  readonly description: string;
  /** The likely cause of a 404 with correct ids. */
  readonly notFound?: string;
  readonly operation: Operation;
  /** The object's name in sentences, such as `service 3f0c…`. */
  readonly displayName: (parameters: Readonly<Record<string, string>>) => string;
  readonly args: Readonly<Record<string, FunctionArgument>>;
  readonly result: z.ZodObject;
  /** Converts the response to the result. */
  readonly toResult?: (response: Properties) => Properties;
}

const organizationId = {
  description: "The ID of the organization. Defaults to the provider's organizationId.",
  schema: uuid(),
  optional: true,
} as const;
const pipeArgs = {
  organizationId,
  serviceId: { description: "The ID of the service that the pipe writes to.", schema: uuid() },
  pipeId: { description: "The ID of the pipe.", schema: uuid() },
};

/** The specification allows any text, but this form excludes secrets and whole documents. */
const ALERT_ID = "must consist of letters, digits and .:_~-, with at most 200 characters";
const alertId = z.string(ALERT_ID).regex(/^[\w.:~-]{1,200}$/, ALERT_ID);

export const functions = {
  getService: {
    description: "Reads a service.",
    operation: endpoints.getService,
    displayName: ({ serviceId }) => `service ${serviceId}`,
    args: { organizationId, serviceId: { description: "The ID of the service.", schema: uuid() } },
    result: schemas.service,
  },
  getPipe: {
    description: "Reads a pipe. Its settings have the same names as the arguments of a `Pipe`.",
    operation: endpoints.getPipe,
    displayName: ({ pipeId }) => `pipe ${pipeId}`,
    args: pipeArgs,
    result: schemas.pipe.extend({ settings: shownSettings.optional() }),
    toResult: (response) =>
      isRecord(response.settings)
        ? { ...response, settings: inProgramNames(response.settings) }
        : response,
  },
  getPipeSettings: {
    description:
      "Reads all settings of a pipe. They have the same names as the arguments of a `Pipe`. A pipe that replicates a database, such as one from PostgreSQL, has no settings to read: the API returns 404.",
    notFound: "Pipes that replicate a database have no settings to read.",
    operation: endpoints.getPipeSettings,
    displayName: ({ pipeId }) => `the settings of pipe ${pipeId}`,
    args: pipeArgs,
    result: shownSettings,
    toResult: inProgramNames,
  },
  getAlert: {
    description:
      "Reads an alert of the observability API. Newer servers show `teamId` and `dashboardId` instead of `team` and `dashboard`, which then stay empty.",
    operation: endpoints.getAlert,
    displayName: ({ id }) => `alert ${id}`,
    args: { id: { description: "The ID of the alert.", schema: alertId } },
    result: schemas.alert,
  },
  getDashboards: {
    description:
      "Lists the dashboards of the observability API, with their tiles. Newer servers show the `config` of a tile instead of its `series`, which then stay empty.",
    operation: endpoints.getDashboards,
    displayName: () => "the dashboards",
    args: {},
    result: z.object({ dashboards: schemas.dashboards }),
    toResult: (dashboards) => ({ dashboards }),
  },
} satisfies Readonly<Record<string, FunctionDefinition>>;

export type FunctionName = keyof typeof functions;
type Parameters = Readonly<Record<string, string>>;

/** The parameters of a function's request: arguments, and the organization from the settings. */
export function parametersOf(
  name: FunctionName,
  values: Properties,
  read: ReadSettings,
): Parameters {
  const { args }: FunctionDefinition = functions[name];
  const unknown = joinProblems(unknownArguments(name, Object.keys(values), Object.keys(args)));
  if (unknown !== undefined) throw new UserError(unknown);
  const isMissing = (arg: string) => values[arg] === undefined || values[arg] === null;
  const missing = Object.keys(args).filter((arg) => !args[arg]?.optional && isMissing(arg));
  if (missing.length > 0) {
    throw userError("CDB1002", `${name} requires ${missing.join(" and ")}.`);
  }
  const parameters = Object.entries(args).map(([arg, { schema }]) => [
    arg,
    checkedId(name, arg, schema, isMissing(arg) ? organizationOf(read) : values[arg]),
  ]);
  return Object.fromEntries(parameters);
}

/** The organization from the settings, the only argument with a setting. */
function organizationOf(read: ReadSettings): string {
  const { settings, refused, problems } = read;
  if (settings.organizationId !== undefined) return settings.organizationId;
  const missing = coded(
    "CDB1002",
    `organizationId is missing: pass it, or set ${settingName("organizationId")}.`,
  );
  const others = [...problems, ...missingSettings("management", read)];
  // An organization that is not a UUID is already among the problems.
  const all = refused.has("organizationId") ? others : [missing, ...others];
  throw new UserError(joinProblems(all) ?? missing);
}

/** An id in canonical form. Other texts may be secret, so they are neither sent nor echoed. */
function checkedId(
  name: FunctionName,
  argument: string,
  schema: z.ZodType<string>,
  value: unknown,
): string {
  if (typeof value !== "string" || value === "") {
    throw userError("CDB1012", `The argument ${argument} of ${name} must be a non-empty string.`);
  }
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const rule = String(error.issues[0]?.message);
  throw userError("CDB1003", `The argument ${argument} of ${name} is invalid: ${rule}.`);
}

/** Runs a function: sends a GET request and converts the response. */
export async function runFunction(
  name: FunctionName,
  values: Properties,
  { dependencies, clientFor }: Pick<Session, "dependencies" | "clientFor">,
): Promise<Properties> {
  const { operation, displayName, toResult, args, notFound }: FunctionDefinition = functions[name];
  const parameters = parametersOf(name, values, dependencies.settings());
  const thing = displayName(parameters);
  try {
    const response = (await clientFor(operation.api).call(operation, parameters)) as Properties;
    const warning = describeInvalidFields(thing, invalidPaths(response));
    if (warning !== undefined) dependencies.warn(warning);
    const result = withoutAbsent(response);
    return toResult?.(result) ?? result;
  } catch (error) {
    const isMissing = error instanceof ApiError && error.code === NOT_FOUND;
    const causes = isMissing && notFound !== undefined ? [notFound] : [];
    throw new UserError(
      describeFailure(`Reading ${thing}`, error, causes, Object.keys(args).reverse()),
    );
  }
}
