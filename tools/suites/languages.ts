import { delimiter } from "node:path";
import versions from "../../versions.json";
import { ensureAll } from "../setup/engine";
import { ensureLanguageHosts, type MissingLanguages } from "../setup/language-hosts";
import { ensurePython, generateSdks } from "../setup/sdks";
import { jest } from "./jest";

/** Tests programs in YAML, Python and Go. Skipped tests say in their names what this machine is missing. */
export async function testLanguages(args: readonly string[]): Promise<number> {
  const missing = await ensureLanguageHosts(await ensureAll());
  process.env.PATH = [...(await ensureSdks(missing)), process.env.PATH].join(delimiter);
  for (const reason of Object.values(missing)) process.stderr.write(`${reason}\n`);
  return jest([...args, "--selectProjects", "languages"], { CLOUDDB_MISSING_LANGUAGES: JSON.stringify(missing) });
}

/** Generates the SDKs and installs the one for Python; returns the folder of its programs. Notes which language has none. */
async function ensureSdks(missing: MissingLanguages): Promise<string[]> {
  try {
    await generateSdks();
  } catch (error) {
    const reason = `SDKs cannot be generated: ${(error as Error).message}\nInstall Go ${versions.go} or newer.`;
    missing.python ??= reason;
    missing.go ??= reason;
  }
  if (missing.python !== undefined) return [];
  try {
    return [await ensurePython()];
  } catch (error) {
    missing.python = `Python cannot be set up: ${(error as Error).message}\nInstall Python ${versions.python} or newer, and make sure that it reaches PyPI.`;
    return [];
  }
}
