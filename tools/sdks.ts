// Generates SDKs for Python, Go, Node.js and .NET into sdks/ (`npm run sdks`).
import versions from "../versions.json";
import { ensureBuild } from "./setup/build";
import { generateSdks, sdks } from "./setup/sdks";
import { SetupError } from "./support/progress";

export async function main(): Promise<void> {
  await ensureBuild();
  try {
    await generateSdks();
  } catch (error) {
    const { message } = error as Error;
    throw new SetupError(`The SDKs cannot be generated: ${message}\nThis needs Go ${versions.go} or newer.`);
  }
  console.log(sdks);
}
