import { userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findProjectFile } from "pulumi-clouddb-facts";

/* Folders and files of Pulumi, by the rules of its CLI. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's home by the system's list of users; HOME counts only for a user who is not in it. */
export function userHome({ HOME }: Environment): string {
  try {
    return userInfo().homedir;
  } catch {
    return HOME || "/";
  }
}

/** Pulumi's own folder. */
export function pulumiHome(environment: Environment, folder: string): string {
  const { PULUMI_HOME } = environment;
  return PULUMI_HOME ? resolveFromProject(folder, PULUMI_HOME) : join(userHome(environment), ".pulumi");
}

/** True on machines that are usually thrown away after a run: those of CI systems, and pods. */
export function isTemporary({ CI, KUBERNETES_SERVICE_HOST }: Environment): boolean {
  return Boolean(KUBERNETES_SERVICE_HOST) || (Boolean(CI) && CI !== "false");
}

/** The folder where logins are stored. */
export function credentialsFolder(environment: Environment, folder: string): string {
  const { PULUMI_CREDENTIALS_PATH } = environment;
  return PULUMI_CREDENTIALS_PATH
    ? resolveFromProject(folder, PULUMI_CREDENTIALS_PATH)
    : pulumiHome(environment, folder);
}

/** A path of the environment. The CLI runs in the project's folder, a plugin in that of the program. */
function resolveFromProject(folder: string, path: string): string {
  const project = findProjectFile(folder);
  return resolve(project === undefined ? folder : dirname(project), path);
}
