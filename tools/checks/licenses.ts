import satisfies from "spdx-satisfies";
import { textOf } from "../support/repository";
import { type CheckResult, resultOf } from "./tool";

/** A package in the lock file. */
interface LockedPackage {
  readonly version: string;
  /** An SPDX expression. */
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
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

/** Every package that users of ours install must have an allowed license. `npm sbom --omit dev` leaves some of them out. */
export async function licenses(): Promise<CheckResult> {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(textOf("package-lock.json"));
  const installed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link,
  );
  const problems = installed
    .filter(([path, { license }]) => !isAllowed(path, license))
    .map(([path, { version, license }]) => `${path} ${version}: ${license ?? "names no license"}`);
  return resultOf(problems, `${installed.length} packages`);
}

function isAllowed(path: string, license: string | undefined): boolean {
  const exception = EXCEPTIONS[path.split("node_modules/").at(-1) ?? ""];
  if (exception?.file !== undefined) return textOf(path, "LICENSE").startsWith(exception.file);
  return license !== undefined && (license === exception?.license || isCovered(license));
}

function isCovered(license: string): boolean {
  try {
    return satisfies(license, ALLOWED);
  } catch {
    // "UNLICENSED" and the like are no expressions.
    return false;
  }
}
