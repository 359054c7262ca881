import { delimiter } from "node:path";
import versions from "../../versions.json";
import { ensureAll } from "../setup/engine";
import { ensureLanguageHosts, type MissingLanguages } from "../setup/language-hosts";
import { ensureJava, ensurePython, generateSdks } from "../setup/sdks";
import { jest } from "./jest";

/** Tests programs in YAML, Python, Go and Java. Skipped tests say in their names what this machine is missing. */
export async function testLanguages(args: readonly string[]): Promise<number> {
  const missing = await ensureLanguageHosts(await ensureAll());
  await ensureSdks(missing);
  for (const reason of Object.values(missing)) process.stderr.write(`${reason}\n`);
  return jest([...args, "--selectProjects", "languages"], { CLOUDDB_MISSING_LANGUAGES: JSON.stringify(missing) });
}

/** Generates the SDKs, and installs those for Python and Java where commands find them. Notes which language has none. */
async function ensureSdks(missing: MissingLanguages): Promise<void> {
  try {
    await generateSdks();
  } catch (error) {
    const reason = `SDKs cannot be generated: ${(error as Error).message}\nInstall Go ${versions.go} or newer.`;
    for (const language of ["python", "go", "java"] as const) missing[language] ??= reason;
  }
  try {
    if (missing.python === undefined) process.env.PATH = [await ensurePython(), process.env.PATH].join(delimiter);
  } catch (error) {
    missing.python = `Python cannot be set up: ${(error as Error).message}\nInstall Python ${versions.python} or newer, and make sure that it reaches PyPI.`;
  }
  try {
    if (missing.java === undefined) process.env.MAVEN_OPTS = `${process.env.MAVEN_OPTS ?? ""} ${await ensureJava()}`;
  } catch (error) {
    missing.java = `The SDK for Java cannot be built: ${(error as Error).message}\nInstall a JDK, Java ${versions.java} or newer, and Maven, and make sure that it reaches Maven Central.`;
  }
}
