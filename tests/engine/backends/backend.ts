import { startPostgres } from "./postgres";
import { startS3 } from "./s3";
import type { RunningBackend } from "./server";

/** Where the stacks of this jest project have their states: see jest.config.cjs. */
export type BackendName = "files" | "postgres" | "s3";

export const BACKEND: BackendName = (globalThis as { BACKEND?: BackendName }).BACKEND ?? "files";

let running: Promise<RunningBackend> | undefined;
afterAll(async () => {
  await (await running)?.close();
});

/** The server for this file's tests, which starts when it is first needed. */
export function backend(): Promise<RunningBackend> {
  running ??= BACKEND === "s3" ? startS3() : startPostgres();
  return running;
}
