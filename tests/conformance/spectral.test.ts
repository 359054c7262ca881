import { spawnSync } from "node:child_process";
import { join } from "node:path";
import document from "../../simulator/openapi.json";
import { ensureNpmCommand } from "../../tools/setup/registry-command";
import versions from "../../versions.json";
import { conclude } from "./support/conclude";

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

test("the OpenAPI document follows the rules for such documents", async () => {
  const spectral = await ensureNpmCommand("@stoplight/spectral-cli", "spectral");
  const findingsIn = (judged: object): string[] => {
    const ruleset = join(__dirname, "support/spectral.yaml");
    const args = ["lint", "--quiet", "--format", "json", "--ruleset", ruleset, "--fail-severity", "hint"];
    const { stdout, stderr } = spawnSync(spectral, args, { input: JSON.stringify(judged), encoding: "utf8" });
    expect(stderr).toBe("");
    const findings: Finding[] = JSON.parse(stdout);
    return findings.map(({ code, message, path }) => `${path.join("/")}: ${message} (${code})`);
  };
  // The judge finds what is wrong.
  expect(String(findingsIn({ ...document, paths: { "/x/{y}": { get: {} } } }))).toContain("(path-params)");

  const cases = Object.keys(document.paths).length + Object.keys(document.components.schemas).length;
  const version = versions.npmTools["@stoplight/spectral-cli"];
  conclude({ source: "@stoplight/spectral-cli on npm, ruleset spectral:oas", version }, cases, findingsIn(document));
});
