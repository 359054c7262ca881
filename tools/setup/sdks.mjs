import { join } from "node:path";
import { go } from "./go.mjs";
import { withLock } from "./lock.mjs";
import { root } from "./root.mjs";
import { versions } from "./versions.mjs";

export const sdks = join(root, "sdks");

/** Generates the SDKs from the schema, with the generators of Pulumi's Go modules. */
export async function generateSdks() {
  const args = ["run", "-mod=readonly", ".", join(root, "provider/schema.json"), sdks, versions.pulumi.tested];
  const generate = () => go("Generating SDKs (a minute the first time)", join(root, "tools/sdks"), args);
  await withLock(join(root, ".cache", "sdks"), generate);
}
