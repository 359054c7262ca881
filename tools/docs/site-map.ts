// The pages of the documentation site: groups of the sidebar, and the source and address of each page.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root, textOf } from "../support/repository";

/** Where in the site the pages outside of docs/ are. Those in docs/ have their path there. */
const ADDRESSES: Readonly<Record<string, string>> = {
  "README.md": "index",
  "CHANGELOG.md": "changelog",
  "CONTRIBUTING.md": "contributing",
  "SECURITY.md": "security",
  "docs/reference/README.md": "reference/index",
  "examples/README.md": "examples",
  "policies/README.md": "policy-pack",
  "report/README.md": "report-command",
  "fleet/README.md": "fleet-command",
  "simulator/README.md": "simulator-command",
};

/** Pages in the form of Pulumi's registry: they repeat others. */
const ELSEWHERE = ["docs/_index.md", "docs/installation-configuration.md"];

const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name.replaceAll("\\", "/")}`)
  .sort();
const reference = (begins: RegExp) => inDocs.filter((source) => begins.test(source));

export const GROUPS = [
  {
    text: "Start",
    sources: ["README.md", "docs/getting-started.md", "examples/README.md", "docs/install.md"],
  },
  {
    text: "Guides",
    sources: [
      "docs/guides/adopt.md",
      "docs/guides/passwords-and-keys.md",
      "docs/guides/drift.md",
      "docs/guides/accounts.md",
      "docs/guides/after-a-crash.md",
      "docs/guides/upgrade.md",
      "docs/guides/ci.md",
      "docs/guides/ci-gitlab.md",
      "docs/guides/ci-azure.md",
      "docs/guides/share-rate-limit.md",
      "docs/guides/replace.md",
    ],
  },
  {
    text: "Reference",
    sources: ["docs/reference/README.md", "docs/configuration.md", "docs/errors.md", "docs/reference/Provider.md"],
  },
  { text: "Resources", sources: reference(/^docs\/reference\/(?!Provider|README)[A-Z]/) },
  { text: "Functions", sources: reference(/^docs\/reference\/[a-z][^/]+\.md$/) },
  {
    text: "Policies and reports",
    sources: [
      "policies/README.md",
      "docs/policies.md",
      "docs/custom-policies.md",
      "report/README.md",
      "docs/report.md",
      "docs/cost.md",
      "fleet/README.md",
    ],
  },
  { text: "Simulator", sources: ["simulator/README.md", "docs/simulator.md"] },
  {
    text: "The project",
    sources: ["docs/versions.md", "CHANGELOG.md", "docs/laboratory.md", "SECURITY.md", "CONTRIBUTING.md"],
  },
];

/** Each page's source and address, such as `guides/adopt`. */
export const PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  GROUPS.flatMap(({ sources }) => sources).map((source) => [
    source,
    ADDRESSES[source] ?? source.replace(/^docs\//, "").replace(/\.md$/, ""),
  ]),
);

/** Pages of docs/ that no group has. */
export const forgotten = inDocs.filter((source) => PAGES[source] === undefined && !ELSEWHERE.includes(source));

/** The first heading of a page. */
export function titleOf(source: string): string {
  const [, title] = /^# (.+)$/m.exec(textOf(source)) ?? [];
  if (title === undefined) throw new Error(`${source} has no title`);
  return title.replaceAll("`", "");
}
