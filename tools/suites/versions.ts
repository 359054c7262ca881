// Tests with the supported versions of Node, the Pulumi SDK and the Pulumi CLI.
import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { peerDependencies } from "../../provider/package.json";
import versions from "../../versions.json";
import { nodeFolder } from "../setup/node";
import { lastLines, npm, run, runInForeground } from "../support/process";
import { SetupError } from "../support/progress";
import { root, textOf } from "../support/repository";

interface Combination {
  readonly node: number;
  readonly sdk: string;
  /** Default: the one that all other tests run with. */
  readonly cli?: string;
}

interface Row extends Combination {
  readonly unit: boolean;
  readonly byCli: Readonly<Record<string, boolean>>;
}

// The newest CLI is the last one whose modules are published, so that it can be built where it cannot be downloaded.
const { oldest, newestCli } = versions.pulumi;
const SDK = "@pulumi/pulumi";
/** The life of a service, its protection and the states of all releases, with both adapters; policies and the report. */
const ENGINE_TESTS = [
  "--testPathPatterns",
  "tests/(engine/(lifecycle|protection|upgrade)|programs/review/(policies|report))",
  "--selectProjects",
  "engine",
  "native",
  "review",
];
const PAGE = "docs/versions.md";
const MARKS = ["<!-- versions -->", "<!-- end: versions -->"] as const;
const thisNode = Number.parseInt(process.versions.node, 10);

/** Runs the unit tests on each supported Node but this one. */
export async function testNodeVersions(args: readonly string[]): Promise<number> {
  const others = versions.node.filter((node) => node !== thisNode);
  return failuresOf(others, (node) => unitTests(node, args));
}

/** Runs engine tests on this Node, with the oldest and the newest SDK. */
export async function testSdkVersions(args: readonly string[]): Promise<number> {
  return failuresOf([oldest, await newestSdk(thisNode)], (sdk) => engineTests({ node: thisNode, sdk }, args));
}

/** Runs everything, with the oldest and the newest CLI; updates docs/versions.md. */
export async function testAllVersions(args: readonly string[]): Promise<number> {
  const rows: Row[] = [];
  for (const node of versions.node) {
    const unit = await unitTests(node, args);
    for (const sdk of [oldest, await newestSdk(node)]) {
      const byCli: Record<string, boolean> = {};
      for (const cli of [oldest, newestCli]) byCli[cli] = await engineTests({ node, sdk, cli }, args);
      rows.push({ node, sdk, unit, byCli });
    }
  }
  writeTable(rows);
  return rows.every(({ unit, byCli }) => unit && Object.values(byCli).every(Boolean)) ? 0 : 1;
}

/** Tests them all, also after a failure; 1 if one failed. */
async function failuresOf<Item>(items: readonly Item[], test: (item: Item) => Promise<boolean>): Promise<number> {
  let code = 0;
  for (const item of items) if (!(await test(item))) code = 1;
  return code;
}

const unitTests = (node: number, args: readonly string[]) =>
  test(`Node ${node}: unit tests`, node, [...args, "--selectProjects", "unit"]);

/** Runs the most important engine tests. */
const engineTests = ({ node, sdk, cli }: Combination, args: readonly string[]) =>
  test(`Node ${node}, SDK ${sdk}, CLI ${cli ?? "as in other tests"}`, node, [...args, ...ENGINE_TESTS], {
    CLOUDDB_TEST_SDK: sdk,
    ...(cli && { CLOUDDB_TEST_ENGINE: cli }),
  });

/** Runs jest on a Node version; true if all tests pass. */
async function test(title: string, node: number, args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  console.log(`\n${title}`);
  const folder = await nodeFolder(node);
  const env = { ...process.env, ...variables, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const command = ["tools/setup.mjs", "test", ...args];
  const code = await runInForeground(join(folder, "node"), command, { cwd: root, env });
  if (code !== 0) console.log(`\n${title}: tests failed`);
  return code === 0;
}

/** The newest SDK that the provider and a Node version allow. */
async function newestSdk(node: number): Promise<string> {
  const range = peerDependencies[SDK];
  const found = await run(npm, ["view", `${SDK}@${range}`, "version", "engines.node", "--json"], { cwd: root });
  if (found.code !== 0) throw new SetupError(`npm could not list versions of ${SDK}; see below.\n${lastLines(found)}`);
  const releases: { readonly version: string; readonly "engines.node"?: string }[] = JSON.parse(found.stdout);
  const suitable = releases.filter((release) => Number(/\d+/.exec(release["engines.node"] ?? "0")) <= node);
  const newest = suitable
    .map(({ version }) => version)
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
    .at(-1);
  if (newest === undefined) throw new SetupError(`No version of ${SDK} runs on Node ${node}.`);
  return newest;
}

function writeTable(rows: readonly Row[]): void {
  const result = (passed: boolean | undefined) => (passed ? "pass" : "**fail**");
  const clis = [oldest, newestCli];
  const lines = [
    `| Node | unit tests | SDK | ${clis.map((cli) => `CLI ${cli}`).join(" | ")} |`,
    `|---|---|---|${clis.map(() => "---|").join("")}`,
    ...rows.map(
      ({ node, sdk, unit, byCli }) =>
        `| ${node} | ${result(unit)} | ${sdk} | ${clis.map((cli) => result(byCli[cli])).join(" | ")} |`,
    ),
  ];
  const page = textOf(PAGE);
  const [start, end] = MARKS;
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new SetupError(`${PAGE} has no section ${MARKS.join(" … ")}`);
  const when = new Date().toISOString().slice(0, 10);
  const text = `${page.slice(0, from + start.length)}\n${lines.join("\n")}\n\n<sub>${when}</sub>\n${page.slice(to)}`;
  writeFileSync(join(root, PAGE), text);
}
