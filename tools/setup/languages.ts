import { delimiter } from "node:path";
import versions from "../../versions.json";
import { ensureLanguageHosts, type MissingLanguages } from "./language-hosts";
import { ensureJava, ensurePython, generateSdks } from "./sdks";

/** Sets up YAML, Python, Go and Java; returns variables for tests. Tests say in their names what this machine is missing. */
export async function ensureLanguages(engine: string): Promise<NodeJS.ProcessEnv> {
  const missing: MissingLanguages = await ensureLanguageHosts(engine);
  const variables: NodeJS.ProcessEnv = {};
  try {
    await generateSdks();
  } catch (error) {
    const reason = `SDKs cannot be generated: ${(error as Error).message}\nInstall Go ${versions.go} or newer.`;
    for (const language of ["python", "go", "java"] as const) missing[language] ??= reason;
  }
  try {
    if (missing.python === undefined) {
      variables.PATH = [engine, await ensurePython(), process.env.PATH].join(delimiter);
    }
  } catch (error) {
    missing.python = `Python cannot be set up: ${(error as Error).message}\nInstall Python ${versions.python} or newer, and make sure that it reaches PyPI.`;
  }
  try {
    if (missing.java === undefined) {
      variables.MAVEN_OPTS = `${process.env.MAVEN_OPTS ?? ""} ${await ensureJava()}`;
    }
  } catch (error) {
    missing.java = `The SDK for Java cannot be built: ${(error as Error).message}\nInstall a JDK, Java ${versions.java} or newer, and Maven, and make sure that it reaches Maven Central.`;
  }
  for (const reason of Object.values(missing)) process.stderr.write(`${reason}\n`);
  return { ...variables, CLOUDDB_MISSING_LANGUAGES: JSON.stringify(missing) };
}
