import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { ResourceIdentity } from "../core/creation-journal";
import { withoutPassword } from "../core/journal-place";
import { credentialsFolder, type Environment, findProjectFile, userHome } from "../core/pulumi-workspace";
import { UserError } from "../core/user-error";
import { coded } from "../errors";
import { settingName } from "../names";

/** The identities of a project's resources. Only the journal reads the backend, so only then must it be known. */
export function createIdentities(environment: Environment, folder: string): (urn: string) => ResourceIdentity {
  let backend: string | undefined;
  return (urn) => ({
    urn,
    get backend() {
      backend ??= findBackend(environment, folder);
      return backend;
    },
  });
}

/**
 * The backend of the project's stacks, by Pulumi's own rules: the environment, then the project file, then the last
 * `pulumi login`. The engine does not tell a plugin. One backend under two names costs the memory of a crash; two under
 * one name would mix up their stacks.
 */
export function findBackend(environment: Environment, folder: string): string {
  const { PULUMI_BACKEND_URL } = environment;
  const address = PULUMI_BACKEND_URL || projectBackend(folder) || currentLogin(environment, folder);
  const path = /^file:\/\/(.*)$/.exec(address)?.[1]?.replace(/^~/, () => userHome(environment));
  // Records of earlier releases have relative paths resolved from the program's folder.
  return path === undefined ? withoutPassword(address) : `file://${resolve(folder, path)}`;
}

const projectSchema = z.looseObject({ backend: z.looseObject({ url: z.string().optional() }).nullish() });
const credentialsSchema = z.looseObject({ current: z.string().nullish() });

function projectBackend(folder: string): string | undefined {
  const file = findProjectFile(folder);
  if (file === undefined) return undefined;
  const text = read(file);
  return parse(file, projectSchema, () => (file.endsWith(".json") ? JSON.parse(text) : parseYaml(text))).backend?.url;
}

function currentLogin(environment: Environment, folder: string): string {
  const file = join(credentialsFolder(environment, folder), "credentials.json");
  const text = read(file) || "{}";
  const { current } = parse(file, credentialsSchema, () => JSON.parse(text));
  if (current) return current;
  throw unknownBackend(`neither PULUMI_BACKEND_URL nor the project file has its URL, and ${file} has no login`);
}

/** The text of a file; empty if it does not exist. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "";
    throw unknownBackend(`${file} cannot be read: ${code}`);
  }
}

function parse<Schema extends z.ZodType>(file: string, schema: Schema, load: () => unknown): z.output<Schema> {
  try {
    return schema.parse(load());
  } catch {
    // A parser's message may repeat a secret of the file.
    throw unknownBackend(`${file} is not valid`);
  }
}

/** The first document, as the CLI reads it. */
function parseYaml(text: string): unknown {
  // Loaded only when needed: it takes longer than the rest of this check.
  const { parseAllDocuments } = require("yaml") as typeof import("yaml");
  const [document] = parseAllDocuments(text, { merge: true });
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw error;
  return document?.toJS();
}

function unknownBackend(reason: string): UserError {
  return new UserError(
    coded(
      "CDB4014",
      `The creation journal cannot determine the backend of this stack: ${reason}. An earlier command may have created the resource or added its entries, so nothing was sent. Correct the backend, set PULUMI_BACKEND_URL, or set ${settingName("journal")} to off.`,
    ),
  );
}
