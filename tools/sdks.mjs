// Generates SDKs for Python, Go, Node.js and .NET into sdks/ (`npm run sdks`).
import { ensureBuild } from "./setup/build.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runMain, SetupError } from "./setup/report.mjs";
import { generateSdks, sdks } from "./setup/sdks.mjs";
import { versions } from "./setup/versions.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuild();
  try {
    await generateSdks();
  } catch (error) {
    throw new SetupError(`The SDKs cannot be generated: ${error.message}\nThis needs Go ${versions.go} or newer.`);
  }
  console.log(sdks);
});
