import { readFileSync, writeFileSync } from "node:fs";
import { findSchemaError } from "./operations/validation";
import type { RecordingOptions } from "./options";
import type { Recording } from "./simulation/recording";
import { diffRecordings } from "./simulation/recording-diff";

/** The commands that save the requests of a run, and compare those of a later run with them. */

interface Target {
  readonly file: string;
  readonly url: string;
  readonly recording: Recording;
}

export async function runRecordingCommand(
  command: string,
  files: readonly string[],
  options: RecordingOptions,
): Promise<void> {
  const target = await readTarget(command, files, options);
  if (command === "record") record(target);
  else assert(target);
}

function record({ file, recording }: Target): void {
  try {
    writeFileSync(file, `${JSON.stringify(recording, undefined, 2)}\n`);
  } catch (error) {
    throw new Error(`cannot write ${file}: ${(error as Error).message}`);
  }
  console.log(`Recorded ${countRequests(recording)} in ${file}`);
}

function assert({ file, url, recording }: Target): void {
  const difference = diffRecordings(readRecording(file, url), recording);
  if (difference === undefined) {
    console.log(`${countRequests(recording)}, as recorded in ${file}`);
    return;
  }
  process.stdout.write(`- expected: ${file}\n+ received: ${url}\n\n${difference}`);
  throw new Error(
    `the requests differ from ${file}; if this is intended, run \`clouddb-simulator record ${file} --url ${url}\``,
  );
}

async function readTarget(
  command: string,
  [file, ...others]: readonly string[],
  { url, keyId, keySecret }: RecordingOptions,
): Promise<Target> {
  if (!file || others.length > 0) throw new Error(`${command} needs one file: ${command} FILE --url URL`);
  if (url === undefined || !URL.canParse(url)) {
    const text = url === undefined ? "" : `; got "${url}"`;
    throw new Error(`--url must be the URL of a running simulator, such as http://127.0.0.1:4010${text}`);
  }
  const key = keyId && keySecret && `${keyId}:${keySecret}`;
  return { file, url, recording: await fetchRecording(url, key) };
}

async function fetchRecording(url: string, key: string | undefined): Promise<Recording> {
  const headers: Record<string, string> = key ? { authorization: `Basic ${Buffer.from(key).toString("base64")}` } : {};
  const response = await fetch(new URL("/__admin/recording", url), { headers }).catch((error: Error) => {
    const { code = error.message } = (error.cause ?? {}) as { code?: string };
    throw new Error(`no simulator answers at ${url} (${code})`);
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const { error = `status ${response.status}` } = (body ?? {}) as { error?: string };
    throw new Error(`cannot read the requests from ${url}: ${error}`);
  }
  if (findSchemaError("Recording", body) === undefined) return body as Recording;
  throw new Error(`${url} is not a simulator, or one of another release`);
}

function readRecording(file: string, url: string): Recording {
  let recording: unknown;
  try {
    recording = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const advice = `create it with \`clouddb-simulator record ${file} --url ${url}\``;
    throw new Error(`cannot read ${file}: ${(error as Error).message}; ${advice}`);
  }
  const error = findSchemaError("Recording", recording, "it");
  if (error !== undefined) throw new Error(`${file} is not a recording: ${error}`);
  return recording as Recording;
}

function countRequests({ requests }: Recording): string {
  return `${requests.length} ${requests.length === 1 ? "request" : "requests"}`;
}
