import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port";
import { accepts, PASSWORD, programOf, type RunningBackend, serverOf } from "./server";

const KEY_ID = "pulumi";

/** Starts an S3-compatible store whose buckets are folders. */
export async function startS3(): Promise<RunningBackend> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-s3-"));
  const port = await freePort();
  const args = ["--quiet", "--port", `127.0.0.1:${port}`, "posix", folder];
  const env = { ...process.env, ROOT_ACCESS_KEY: KEY_ID, ROOT_SECRET_KEY: PASSWORD };
  const server = serverOf(programOf("CLOUDDB_S3_GATEWAY"), args, { env }, () => accepts(port));
  await server.start();

  let storages = 0;
  return {
    newStorage() {
      storages += 1;
      const bucket = `storage-${storages}`;
      mkdirSync(join(folder, bucket));
      const parameters = `endpoint=http://127.0.0.1:${port}&s3ForcePathStyle=true&region=us-east-1`;
      return {
        PULUMI_BACKEND_URL: `s3://${bucket}?${parameters}`,
        AWS_ACCESS_KEY_ID: KEY_ID,
        AWS_SECRET_ACCESS_KEY: PASSWORD,
      };
    },
    contents() {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      return files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8")).join("\n");
    },
    kill: () => server.end("SIGKILL"),
    restart: () => server.start(),
    async close() {
      await server.end("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
