// The pages of the documentation site: groups of the sidebar, the source and address of each page, and links to it.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { resourceTable } from "../../facts/resource-table";
import { homepage, version } from "../../package.json";
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

/** Pages for Pulumi's registry, which a release adds. */
export const OF_THE_REGISTRY = ["_index.md", "installation-configuration.md"];

const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") && !OF_THE_REGISTRY.includes(name))
  .map((name) => `docs/${name.replaceAll("\\", "/")}`)
  .sort();
/** A group of the sidebar, whose entries are pages or groups of pages. */
interface Group {
  readonly text: string;
  readonly sources?: readonly string[];
  readonly groups?: readonly Group[];
}

const guides = (...names: readonly string[]) => names.map((name) => `docs/guides/${name}.md`);
const RESOURCES = [...Object.keys(resourceTable), "Provider"];

export const GROUPS: readonly Group[] = [
  {
    text: "Start",
    sources: ["README.md", "docs/install.md", "docs/getting-started.md", "docs/concepts.md"],
  },
  {
    text: "Guides",
    sources: ["examples/README.md"],
    groups: [
      {
        text: "Change a service",
        sources: guides("resize", "network-access", "share-access", "replace", "pipes"),
      },
      {
        text: "Passwords and keys",
        sources: guides("passwords-and-keys", "secrets", "credentials", "hand-over-passwords"),
      },
      { text: "Take over what exists", sources: guides("adopt", "drift", "from-terraform") },
      { text: "Test and review", sources: [...guides("testing", "ci"), "docs/languages.md"] },
      {
        text: "Accounts and many stacks",
        sources: guides("accounts", "split-stacks", "roll-out", "share-rate-limit", "store-states"),
      },
      { text: "Maintain", sources: guides("after-a-crash", "slow-commands", "upgrade", "uninstall") },
    ],
  },
  {
    text: "Reference",
    groups: [
      {
        text: "Resources",
        sources: ["docs/reference/README.md", ...RESOURCES.map((name) => `docs/reference/${name}.md`)],
      },
      { text: "Functions", sources: inDocs.filter((source) => source.startsWith("docs/reference/get")) },
      {
        text: "Settings and commands",
        sources: [
          "docs/configuration.md",
          "docs/commands.md",
          "report/README.md",
          "fleet/README.md",
          "simulator/README.md",
          "docs/simulator.md",
        ],
      },
      {
        text: "Limits, messages and formats",
        sources: ["docs/limits.md", "docs/errors.md", "docs/policies.md", "docs/glossary.md"],
      },
    ],
  },
  {
    text: "Governance",
    sources: ["policies/README.md", "docs/custom-policies.md", "docs/report.md"],
  },
  {
    text: "Project",
    sources: [
      "CHANGELOG.md",
      "docs/versions.md",
      "SECURITY.md",
      "docs/compare.md",
      "docs/performance.md",
      "docs/architecture.md",
      "CONTRIBUTING.md",
    ],
  },
];

const sourcesOf = ({ sources = [], groups = [] }: Group): readonly string[] => [
  ...sources,
  ...groups.flatMap(sourcesOf),
];

/** Each page's source and address, such as `guides/adopt`. */
export const PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  GROUPS.flatMap(sourcesOf).map((source) => [
    source,
    ADDRESSES[source] ?? source.replace(/^docs\//, "").replace(/\.md$/, ""),
  ]),
);

const forgotten = inDocs.filter((source) => PAGES[source] === undefined);
if (forgotten.length > 0) throw new Error(`tools/docs/site-map.ts lacks ${forgotten.join(", ")}: add each to a group.`);

/** Titles on the site of pages whose own one is the name of their package. */
const TITLES: Readonly<Record<string, string>> = {
  "README.md": "Overview",
  "docs/policies.md": "All policies",
  "docs/reference/README.md": "All resources and functions",
  "policies/README.md": "Policies in use",
  "report/README.md": "clouddb-report: options and gates",
  "fleet/README.md": "clouddb-fleet: options",
  "simulator/README.md": "clouddb-simulator: options and admin API",
};

/** The title of a page on the site: by default its first heading. */
export function titleOf(source: string): string {
  const [, title] = FIRST_HEADING.exec(textOf(source)) ?? [];
  if (title === undefined) throw new Error(`${source} has no title`);
  return TITLES[source] ?? title.replaceAll("`", "");
}

const FIRST_HEADING = /^# (.+)$/m;

/** The repository on the web. */
export const web = homepage.replace(/#readme$/, "");

const [owner, name] = web.split("/").slice(-2);
/** The address at which .github/workflows/site.yml publishes the site. */
export const siteAddress = `https://${owner}.github.io/${name}/`;

/** The target of a page's link on the site: a page, or a file of the repository as of this version. */
export function targetOnSite(source: string, target: string): string {
  const given = target.startsWith(`${web}/blob/main/`) ? target.slice(`${web}/blob/main`.length) : target;
  if (/^[a-z]+:|^#/.test(given)) return given;
  const [, name = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(given) ?? [];
  const path = posix.join(name.startsWith("/") ? "" : dirname(source), name).replace(/^\/|\/$/g, "");
  const page = PAGES[path] ?? PAGES[`${path}/README.md`];
  if (page !== undefined) return `/${page}.md${hash}`;
  if (!existsSync(join(root, path))) throw new Error(`${source}: the link ${target} leads to nothing`);
  return `${web}/blob/v${version}/${path}${hash}`;
}
