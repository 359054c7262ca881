import { userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findProjectFile, readPulumiFile } from "pulumi-clouddb-facts";
import { z } from "zod";
import { settingName } from "../../names";
import { type UserError, userError } from "../object/user-error";
import type { Environment } from "./environment";

/* Pulumi's backend and folders, found by the CLI's own rules. */

/**
 * The backend of the project's stacks by Pulumi's rules: environment, project file, then the last
 * `pulumi login`. The engine does not pass it to a plugin. Two names for one backend would lose a
 * recorded creation; one name for two backends would mix up their stacks.
 */
export function findBackend(environment: Environment, folder: string) {
  const { PULUMI_BACKEND_URL } = environment;
  const address = PULUMI_BACKEND_URL || projectBackend(folder) || currentLogin(environment, folder);
  const path = /^file:\/\/(.*)$/.exec(address)?.[1]?.replace(/^~/, () => userHome(environment));
  // Permanent, because it decides the names of stored records: a relative path starts in the
  // program's folder.
  const known = path === undefined ? withoutPassword(address) : `file://${resolve(folder, path)}`;
  // Removes credentials from addresses that `URL` cannot parse, such as
  // `postgres://user:password@/database`.
  const clean = known.replace(/^(\w+:\/\/)[^/@]*@/, "$1");
  const variables = placeVariables(clean, environment).join(" and ");
  return { address: clean, place: `${clean}${variables && ` with ${variables}`}` };
}

const parameter = (name: string) => (url: URL) => url.searchParams.get(name);

/**
 * For each scheme, the driver's variables and the parts of an address that take precedence over
 * them.
 */
const PLACE_VARIABLES: Readonly<
  Record<string, Readonly<Record<string, (url: URL) => string | null>>>
> = {
  "azblob:": {
    AZURE_STORAGE_ACCOUNT: parameter("storage_account"),
    AZURE_STORAGE_DOMAIN: parameter("domain"),
  },
  "s3:": { AWS_ENDPOINT_URL_S3: parameter("endpoint") },
  "gs:": { STORAGE_EMULATOR_HOST: () => null },
  "postgres:": {
    PGHOST: (url) => url.hostname || parameter("host")(url),
    PGPORT: (url) => url.port || parameter("port")(url),
    PGDATABASE: (url) => url.pathname.slice(1) || parameter("dbname")(url),
  },
};

/** The variables that complete an address, such as `PGHOST=db.example`. */
function placeVariables(address: string, environment: Environment): string[] {
  if (!URL.canParse(address)) return [];
  const url = new URL(address);
  const { AWS_ENDPOINT_URL } = environment;
  return Object.entries(PLACE_VARIABLES[url.protocol] ?? {}).flatMap(([name, partOf]) => {
    const value = environment[name] || (name === "AWS_ENDPOINT_URL_S3" && AWS_ENDPOINT_URL);
    return value && !partOf(url) ? [`${name}=${withoutPassword(value)}`] : [];
  });
}

/** A folder, or an address without credentials, for records and printed commands. */
export function withoutPassword(place: string): string {
  if (isAbsolute(place) || !URL.canParse(place)) return place;
  const url = new URL(place);
  url.username = "";
  url.password = "";
  url.searchParams.delete("password");
  return String(url);
}

const projectSchema = z.looseObject({
  backend: z.looseObject({ url: z.string().optional() }).nullish(),
});
const ENCRYPTED = "$pulumiSecureStore";
const credentialsSchema = z.looseObject({
  current: z.string().nullish(),
  [ENCRYPTED]: z.unknown().optional(),
});

function projectBackend(folder: string): string | undefined {
  const file = findProjectFile(folder);
  return file && read(file, projectSchema)?.backend?.url;
}

function currentLogin(environment: Environment, folder: string): string {
  const { PULUMI_CREDENTIALS_PATH: path } = environment;
  const file = join(
    path ? resolveFromProject(folder, path) : pulumiHome(environment, folder),
    "credentials.json",
  );
  const credentials = read(file, credentialsSchema);
  if (credentials?.current) return credentials.current;
  // With PULUMI_CREDENTIAL_STORE, the CLI encrypts this file with a key of the operating system.
  const problem = credentials?.[ENCRYPTED] === undefined ? "has no login" : "is encrypted";
  throw unknownBackend(
    `neither PULUMI_BACKEND_URL nor the project file has its URL, and ${file} ${problem}`,
  );
}

/** The contents of a file; undefined if it does not exist. */
function read<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
): z.output<Schema> | undefined {
  try {
    return schema.parse(readPulumiFile(file));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    // A parser's message may contain a secret of the file.
    throw unknownBackend(
      syscall === undefined ? `${file} is not valid` : `${file} cannot be read: ${code}`,
    );
  }
}

function unknownBackend(reason: string): UserError {
  return userError(
    "CDB4014",
    `The creation journal cannot determine the backend of this stack: ${reason}.`,
    "An earlier command may have created the resource, so nothing was sent.",
    `Correct the backend, set PULUMI_BACKEND_URL, or set ${settingName("journal")} to off.`,
  );
}

/**
 * The user's home folder from the system. HOME counts only if the system does not know the user.
 */
function userHome({ HOME }: Environment): string {
  try {
    return userInfo().homedir;
  } catch {
    return HOME || "/";
  }
}

/** Pulumi's home folder. */
export function pulumiHome(environment: Environment, folder: string): string {
  const { PULUMI_HOME } = environment;
  return PULUMI_HOME
    ? resolveFromProject(folder, PULUMI_HOME)
    : join(userHome(environment), ".pulumi");
}

/** True on machines that are usually temporary: CI runners and pods. */
export function isTemporary({ CI, KUBERNETES_SERVICE_HOST }: Environment): boolean {
  return Boolean(KUBERNETES_SERVICE_HOST) || (Boolean(CI) && CI !== "false");
}

/**
 * Resolves a path from the environment. The CLI runs in the project's folder, a plugin in the
 * program's.
 */
function resolveFromProject(folder: string, path: string): string {
  const project = findProjectFile(folder);
  return resolve(project === undefined ? folder : dirname(project), path);
}
