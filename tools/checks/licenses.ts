import satisfies from "spdx-satisfies";
import { npm, run } from "../support/process";
import { root, textOf } from "../support/repository";
import { type CheckResult, resultOf } from "./tool";

/** A package in the list that npm makes, whose format is CycloneDX. */
interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly expression?: string; readonly license?: { readonly id?: string } }[];
}

/** Licenses that ask for no more than their own text beside the code. */
const ALLOWED = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT"];

/** Exceptions by package: the license, and why it is right. */
const EXCEPTIONS: Readonly<Record<string, { readonly license: string; readonly file?: string }>> = {
  // Its package.json refers to its LICENSE file, which is this license.
  "@logdna/tail-file": { license: "MIT", file: "The MIT License (MIT)" },
  // A list of names, of which nothing is copied.
  "spdx-exceptions": { license: "CC-BY-3.0" },
};

/** Every package that users of ours install must have an allowed license. */
export async function licenses(): Promise<CheckResult> {
  const sbom = await run(npm, ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"], { cwd: root });
  if (sbom.code !== 0) return sbom;
  const { components }: { components: Component[] } = JSON.parse(sbom.stdout);
  const refused = components.filter((component) => !isAllowed(component));
  const problems = refused.map((each) => `${each.name} ${each.version}: ${licenseOf(each) ?? "names no license"}`);
  return resultOf(problems, `${components.length} packages`);
}

function isAllowed(component: Component): boolean {
  const license = licenseOf(component);
  const exception = EXCEPTIONS[component.name];
  if (exception?.file !== undefined) {
    return textOf("node_modules", component.name, "LICENSE").startsWith(exception.file);
  }
  return license !== undefined && (license === exception?.license || satisfies(license, ALLOWED));
}

/** An SPDX expression. */
function licenseOf({ licenses: [entry] = [] }: Component): string | undefined {
  return entry?.expression ?? entry?.license?.id;
}
