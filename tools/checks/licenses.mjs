import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npm, run } from "../setup/command.mjs";
import { root } from "../setup/root.mjs";

/** Licenses that ask for no more than their own text beside the code. */
const ALLOWED = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"];

/** Exceptions by package: the license, and why it is right. */
const EXCEPTIONS = {
  // Its package.json refers to its LICENSE file, which is this license.
  "@logdna/tail-file": { license: "MIT", file: "The MIT License (MIT)" },
  // A list of names, of which nothing is copied.
  "spdx-exceptions": { license: "CC-BY-3.0" },
};

/** Every package that users of ours install must have an allowed license. */
export async function licenses() {
  const sbom = await run(npm, ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], { cwd: root });
  if (sbom.code !== 0) return sbom;
  // Here, since the check installs the dependencies that are missing.
  const { default: satisfies } = await import("spdx-satisfies");
  const { components } = JSON.parse(sbom.stdout);
  const refused = components.filter((component) => !isAllowed(component, satisfies));
  return {
    code: refused.length === 0 ? 0 : 1,
    note: `${components.length} packages`,
    stdout: refused.map((each) => `${each.name} ${each.version}: ${licenseOf(each) ?? "names no license"}`).join("\n"),
    stderr: "",
  };
}

function isAllowed(component, satisfies) {
  const license = licenseOf(component);
  const exception = EXCEPTIONS[component.name];
  if (exception?.file !== undefined) {
    const text = readFileSync(join(root, "node_modules", component.name, "LICENSE"), "utf8");
    return text.startsWith(exception.file);
  }
  return license !== undefined && (license === exception?.license || satisfies(license, ALLOWED));
}

/** An SPDX expression. */
function licenseOf({ licenses: [given] = [] }) {
  return given?.expression ?? given?.license.id;
}
