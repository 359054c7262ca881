import { delimiter, join } from "node:path";
import { run } from "../setup/command.mjs";
import { nodeFolder } from "../setup/node.mjs";
import { root } from "../setup/root.mjs";

/** Creation, update, refresh and destruction, and the states of all releases, with both adapters. */
const ENGINE_TESTS = ["--testPathPatterns", "tests/engine/(lifecycle|upgrade)", "--selectProjects", "engine", "native"];
const UNIT_TESTS = ["--selectProjects", "unit"];

export const unitTests = (node) => test(`Node ${node}: unit tests`, node, UNIT_TESTS);

/** The most important engine tests, with that SDK and that CLI: by default the one that all other tests run with. */
export const engineTests = ({ node, sdk, cli }) =>
  test(`Node ${node}, SDK ${sdk}, CLI ${cli ?? "as in other tests"}`, node, ENGINE_TESTS, {
    CLOUDDB_TEST_SDK: sdk,
    ...(cli && { CLOUDDB_TEST_ENGINE: cli }),
  });

/** Runs jest on a Node version; true if all tests pass. */
async function test(title, node, args, variables = {}) {
  console.log(`\n${title}`);
  const folder = await nodeFolder(node);
  const env = { ...process.env, ...variables, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const script = [join(root, "tools/test.mjs"), ...args];
  const { code } = await run(join(folder, "node"), script, { cwd: root, env, stdio: "inherit" });
  if (code !== 0) console.log(`\n${title}: tests failed`);
  return code === 0;
}
