import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/root";

/** Properties of our own in states and requests, and Node's name of the folder of a module. */
const OWN = ["__added", "__declared", "__others", "__secrets", "__uncertain", "__resourceName", "__dirname"];

/** The protocol of plugins is documented, and the published plugin is a bundle with its own copy. */
const INTERNALS: Readonly<Record<string, RegExp>> = {
  "an internal property": new RegExp(`\\b(?!(?:${OWN.join("|")})\\b)__[a-z]\\w*`),
  "a file of a package": /["']@pulumi\/\w+\/(?!package\.json|proto\/)/,
  "a copy of a package": /require\.resolve\(["']@pulumi/,
  "the stack of an error": /\.stack = |stackTraceLimit|captureStackTrace/,
  "the handles of a process": /_getActiveHandles/,
  "the monitor of mocks": /getMonitor/,
  "the promise of an output": /\bpromise\(|\.promise\b/,
};

const EXPECTED = [
  // A name in states, exports of the SDK's index without what the index also loads, and a name in the type of our
  // classes.
  "provider/names.ts: an internal property",
  "provider/sdk/pulumi.ts: a file of a package",
  "provider/sdk/resource-class.ts: an internal property",
];

test("only pulumi-internals.ts depends on undocumented behavior of Pulumi", () => {
  const listing = ["ls-files", "--cached", "--others", "--exclude-standard", "provider", "policies", "report"];
  const files = execFileSync("git", listing, { cwd: root, encoding: "utf8" }).trim().split("\n");
  const sources = files.filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|\/pulumi-internals\.ts$/.test(path));
  expect(sources.length).toBeGreaterThan(100);
  const match = sources.flatMap((path) => {
    const code = readFileSync(join(root, path), "utf8").replace(/^ *(\*|\/\*|\/\/).*$/gm, "");
    return Object.entries(INTERNALS).flatMap(([kind, pattern]) => (pattern.test(code) ? [`${path}: ${kind}`] : []));
  });
  expect(match).toEqual(EXPECTED);
});
