import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { workspaces } from "../../../package.json";
import { root } from "../../support/root";

/** Until the first release, anybody may register our names: no page and no message makes npx download one of them. */

const manifests = workspaces.map((name) => JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")));
const commands = manifests.flatMap(({ bin = {} }) => Object.keys(bin));
const names = [...new Set([...manifests.map(({ name }) => name), ...commands])].join("|");

/** Commands that download a package if the folder does not have it. */
const DOWNLOAD = new RegExp(
  `\\b(?:npx|npm exec|npm x|pnpx|pnpm dlx|yarn dlx|bunx|npm pack)(?! --no-install) (?:[^\\n\`]*[ =])?(?:${names})\\b`,
  "g",
);

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile() && !file.startsWith("tests/"));

const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const isReleased = !/^## .* \(unreleased\)$/m.test(textOf("CHANGELOG.md"));
const beforeFirstRelease = isReleased ? test.skip : test;

beforeFirstRelease("no page, message or workflow downloads a package of ours to run it", () => {
  const found = files.flatMap((file) => [...textOf(file).matchAll(DOWNLOAD)].map(([command]) => `${file}: ${command}`));
  expect(found).toEqual([]);
});

beforeFirstRelease("each page that installs a package of ours says where to get it", () => {
  const installs = new RegExp(`\\bnpm (?:install|i|add) (?:[^\\n\`]* )?(?:${names})\\b`);
  const found = files.filter((file) => installs.test(textOf(file)) && !textOf(file).includes("#get-the-packages"));
  expect(found).toEqual([]);
});
