import { statSync } from "node:fs";
import { pluginCode } from "../setup/bundle.mjs";

const LARGEST = 2_000_000;

/** Everybody who installs the npm package downloads the plugin with it. */
export async function pluginSize() {
  const { size } = statSync(pluginCode);
  const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  if (size <= LARGEST) return { code: 0, note: inMegabytes(size) };
  const stdout = `${pluginCode} has ${inMegabytes(size)}, and at most ${inMegabytes(LARGEST)} are allowed.`;
  return { code: 1, stdout, stderr: "" };
}
