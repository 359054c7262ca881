// Tests with the supported versions of Node, the Pulumi SDK and the Pulumi CLI.
//   node    the unit tests, on each supported Node but this one (`npm run node-versions`)
//   sdk     engine tests on this Node, with the oldest and the newest SDK (`npm run sdk-versions`)
//   all     everything, with the oldest and the newest CLI; updates docs/versions.md (`npm run versions`)
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runMain, SetupError } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";
import { versions } from "./setup/versions.mjs";
import { engineTests, unitTests } from "./versions/run.mjs";
import { newest } from "./versions/sdk.mjs";

// The newest CLI is the last one whose modules are published, so that it can be built where it cannot be downloaded.
const { oldest, newestCli } = versions.pulumi;
const PAGE = join(root, "docs/versions.md");
const MARKS = ["<!-- versions -->", "<!-- end: versions -->"];
const thisNode = Number.parseInt(process.versions.node, 10);

await runMain(async () => {
  process.on("SIGINT", () => {});
  const [what] = process.argv.slice(2);
  const parts = { node: onOtherNodes, sdk: withSdks, all: everything };
  if (!Object.hasOwn(parts, what)) throw new SetupError(`Name one of these: ${Object.keys(parts).join(", ")}.`);
  if (!(await parts[what]())) process.exitCode = 1;
});

async function onOtherNodes() {
  return allOf(
    versions.node.filter((node) => node !== thisNode),
    unitTests,
  );
}

async function withSdks() {
  return allOf([oldest, await newest(thisNode)], (sdk) => engineTests({ node: thisNode, sdk }));
}

async function everything() {
  const rows = [];
  for (const node of versions.node) {
    const unit = await unitTests(node);
    for (const sdk of [oldest, await newest(node)]) {
      const byCli = {};
      for (const cli of [oldest, newestCli]) byCli[cli] = await engineTests({ node, sdk, cli });
      rows.push({ node, sdk, unit, byCli });
    }
  }
  writeTable(rows);
  return rows.every(({ unit, byCli }) => unit && Object.values(byCli).every(Boolean));
}

/** Runs them all, also after a failure; true if all passed. */
async function allOf(items, test) {
  let passed = true;
  for (const item of items) passed = (await test(item)) && passed;
  return passed;
}

function writeTable(rows) {
  const result = (passed) => (passed ? "pass" : "**fail**");
  const clis = Object.keys(rows[0].byCli);
  const lines = [
    `| Node | unit tests | SDK | ${clis.map((cli) => `CLI ${cli}`).join(" | ")} |`,
    `|---|---|---|${clis.map(() => "---|").join("")}`,
    ...rows.map(
      ({ node, sdk, unit, byCli }) =>
        `| ${node} | ${result(unit)} | ${sdk} | ${clis.map((cli) => result(byCli[cli])).join(" | ")} |`,
    ),
  ];
  const page = readFileSync(PAGE, "utf8");
  const [from, to] = MARKS.map((mark) => page.indexOf(mark));
  if (from < 0 || to < from) throw new SetupError(`docs/versions.md has no section ${MARKS.join(" … ")}`);
  const when = new Date().toISOString().slice(0, 10);
  const text = `${page.slice(0, from + MARKS[0].length)}\n${lines.join("\n")}\n\n<sub>${when}</sub>\n${page.slice(to)}`;
  writeFileSync(PAGE, text);
}
