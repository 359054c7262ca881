// Generates SDKs for Python, Go, Java and .NET into sdks/ (`npm run sdks`).   --pack FOLDER   also
// writes what a release has: a wheel and a source distribution for Python, the module for
// Go, a JAR for Java
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import versions from "../versions.json";
import { ensureBuild } from "./setup/build";
import { generateSdks, packSdks, sdks } from "./setup/sdks";
import { SetupError } from "./support/progress";

export async function main(): Promise<void> {
  const { pack } = parseArgs({ options: { pack: { type: "string" } } }).values;
  await ensureBuild();
  try {
    await generateSdks();
  } catch (error) {
    const { message } = error as Error;
    throw new SetupError(
      `The SDKs cannot be generated: ${message}\nThis needs Go ${versions.go} or newer.`,
    );
  }
  console.log(sdks);
  if (pack === undefined) return;
  try {
    for (const file of await packSdks(resolve(pack))) console.log(file);
  } catch (error) {
    const needs = `Python ${versions.python} or newer, and Java ${versions.java} or newer with Maven`;
    throw new SetupError(
      `The SDKs cannot be packed: ${(error as Error).message}\nThis needs ${needs}.`,
    );
  }
}
