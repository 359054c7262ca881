// Makes a release in the folder release/ (`npm run release`): the packages as npm will have them, and the release notes.
// It shows the contents of the packages, and runs the quickstart with them. Nothing is published:
// .github/workflows/release.yml does that.
//   --dry-run     in a temporary folder, which is removed
//   --tag NAME    fails unless this is the tag of the present version, and nothing else is waiting to be released
//   --pack        only makes the files, without a Pulumi engine
//   --try         only runs the quickstart, with the packages in release/
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { onWeb, resolveLink, withLinks } from "./docs/links";
import { changesetsIn, sectionOf } from "./release/changelog";
import { type Package, pack, packedIn } from "./release/pack";
import { install, tryOut } from "./release/try-out";
import { ensureBuild } from "./setup/build";
import { ensureEngine } from "./setup/engine";
import { during, SetupError } from "./support/progress";
import { manifestOf, root, textOf } from "./support/repository";

export async function main(): Promise<void> {
  const options = parseArgs({
    options: {
      "dry-run": { type: "boolean" },
      tag: { type: "string" },
      pack: { type: "boolean" },
      try: { type: "boolean" },
    },
  }).values;
  const dryRun = options["dry-run"];
  if (options.tag !== undefined) await assertReleasable(options.tag);
  const notes = sectionOf(textOf("CHANGELOG.md"), version);
  if (notes === undefined) throw new SetupError(`CHANGELOG.md has no section for version ${version}; add it.`);

  await ensureBuild();
  const temporary = mkdtempSync(join(tmpdir(), "clouddb-release-"));
  try {
    const folder = dryRun ? temporary : join(root, "release");
    const packages = options.try ? packedIn(join(folder, "npm")) : await packInto(join(folder, "npm"));
    const project = await during("Installing the packages", () => install(temporary, packages));
    if (!options.try) writeFileSync(join(folder, "notes.md"), `${withLinks(notes, linkOnWeb)}\n`);
    if (!options.pack) await tryOut(project, await ensureEngine());
    console.log(`\nVersion ${version}: ${dryRun ? "nothing was kept" : `ready in ${folder}`}; nothing was published.`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** A link of the changelog, for notes that stand elsewhere. */
function linkOnWeb(target: string): string {
  const place = resolveLink("CHANGELOG.md", target);
  return place === undefined ? target : onWeb(place);
}

async function packInto(folder: string): Promise<Package[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packages = await pack(folder);
  for (const each of packages) console.log(contentsOf(each));
  return packages;
}

/** A tag is pushed by hand, and a published version cannot be changed. */
async function assertReleasable(tag: string): Promise<void> {
  if (tag !== `v${version}`) {
    throw new SetupError(
      `The tag ${tag} is not that of the packages, v${version}. Run \`npm run prepare-release\` first.`,
    );
  }
  if (/^## .* \(unreleased\)$/m.test(textOf("CHANGELOG.md"))) {
    throw new SetupError(
      `Version ${version} is not prepared: CHANGELOG.md calls it unreleased. CONTRIBUTING.md says what to do before the first release.`,
    );
  }
  if (manifestOf("").bugs.email === undefined) {
    throw new SetupError(
      "package.json has no bugs.email, the address for people who have no account on GitHub. Add it there and to each package, and commit it.",
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
