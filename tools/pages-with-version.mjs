// The pages on how to install the native plugin name its version in their commands.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "./setup/root.mjs";

const { version } = createRequire(import.meta.url)("../provider/package.json");
const PAGES = ["README.md", "docs/native-plugin.md", "docs/versions.md"];

/** Each page with the version of the package in its commands. */
export function pagesWithVersion() {
  return PAGES.map((page) => [page, withVersion(readFileSync(join(root, page), "utf8"))]);
}

/** A text with the version of the package in commands like `pulumi plugin install resource clouddb v0.1.0`. */
export function withVersion(text) {
  return text.replaceAll(/(resource clouddb v|pulumi-resource-clouddb-v| {2}version: )\d+\.\d+\.\d+/g, `$1${version}`);
}
