import versions from "../../versions.json";
import { ensureS3Gateway, findPostgres } from "../setup/servers";
import { jest } from "./jest";

/** Tests states on PostgreSQL and on an S3-compatible store. Without a server its tests are skipped, and it says why. */
export async function testBackends(args: readonly string[]): Promise<number> {
  const variables: NodeJS.ProcessEnv = {};
  const postgres = findPostgres();
  if (postgres !== undefined) variables.CLOUDDB_POSTGRES = postgres;
  else skip("PostgreSQL", "it is not installed. Install it, for example from Debian's package postgresql.");
  try {
    variables.CLOUDDB_S3_GATEWAY = await ensureS3Gateway();
  } catch (error) {
    const { message } = error as Error;
    skip("S3", `its server could not be built. Install Go ${versions.go} or newer. ${message}`);
  }
  const projects = [...(postgres ? ["postgres"] : []), ...(variables.CLOUDDB_S3_GATEWAY ? ["s3"] : [])];
  return projects.length === 0 ? 0 : jest([...args, "--selectProjects", ...projects], variables);
}

function skip(backend: string, reason: string): void {
  process.stderr.write(`Skipped all tests with ${backend}: ${reason}\n`);
}
