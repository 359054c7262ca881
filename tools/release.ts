// Makes a release in the folder release/ (`npm run release`): the packages as npm will have them, a list of everything
// that they install, and the release notes. It shows the contents of the packages, and runs the quickstart with them.
// Nothing is published: .github/workflows/release.yml does that.
//   --dry-run     in a temporary folder, which is removed
//   --tag NAME    fails unless this is the tag of the present version, and nothing else is waiting to be released
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { changesetsIn, sectionOf } from "./release/changelog";
import { type Package, pack } from "./release/pack";
import { install, sbom, tryOut } from "./release/try-out";
import { ensureAll } from "./setup/engine";
import { during, SetupError } from "./support/progress";
import { root, textOf } from "./support/repository";

export async function main(): Promise<void> {
  const { "dry-run": dryRun, tag } = parseArgs({
    options: { "dry-run": { type: "boolean" }, tag: { type: "string" } },
  }).values;
  if (tag !== undefined) await assertReleasable(tag);
  const notes = sectionOf(textOf("CHANGELOG.md"), version);
  if (notes === undefined) throw new SetupError(`CHANGELOG.md has no section for version ${version}; add it.`);

  const engine = await ensureAll();
  const temporary = mkdtempSync(join(tmpdir(), "clouddb-release-"));
  try {
    const folder = dryRun ? temporary : join(root, "release");
    rmSync(join(folder, "npm"), { recursive: true, force: true });
    mkdirSync(join(folder, "npm"), { recursive: true });
    const packages = await pack(join(folder, "npm"));
    for (const each of packages) console.log(contentsOf(each));
    const project = await during("Installing the packages", () => install(temporary, packages));
    await tryOut(project, engine);
    writeFileSync(join(folder, `pulumi-clouddb-${version}.cdx.json`), await sbom(project));
    writeFileSync(join(folder, "notes.md"), `${notes}\n`);
    console.log(`\nVersion ${version}: ${dryRun ? "nothing was kept" : `ready in ${folder}`}; nothing was published.`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** A tag is pushed by hand, and a published version cannot be changed. */
async function assertReleasable(tag: string): Promise<void> {
  if (tag !== `v${version}`) {
    throw new SetupError(
      `The tag ${tag} is not that of the packages, v${version}. Run \`npm run prepare-release\` first.`,
    );
  }
  const waiting = (await changesetsIn(root)).map(({ id }) => `.changeset/${id}.md`);
  if (waiting.length > 0) {
    throw new SetupError(
      `These changes are not part of ${version}: ${waiting.join(", ")}. Run \`npm run prepare-release\` first.`,
    );
  }
}

function contentsOf({ name, size, unpackedSize, files }: Package): string {
  const line = (file: Package["files"][number]) => `${String(file.size).padStart(9)}  ${file.path}`;
  return `${name} ${version}: ${files.length} files, ${size} bytes packed, ${unpackedSize} unpacked\n${files.map(line).join("\n")}\n`;
}
