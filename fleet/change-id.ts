import { execFileSync } from "node:child_process";
import { relative } from "node:path";

/** The name of the change in the record: the commit, which must then contain all that is rolled out. */
export function changeId(folder: string, name: string | undefined, ownFiles: readonly string[]): string {
  if (name !== undefined) return name;
  const git = (...args: string[]) => {
    try {
      return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      throw new Error("The project is not in a Git repository with a commit: name the change with --change.");
    }
  };
  const commit = git("rev-parse", "HEAD").trim();
  // Git refuses paths outside of its repository.
  const inside = ownFiles.map((file) => relative(folder, file)).filter((path) => !path.startsWith(".."));
  const others = inside.map((path) => `:(exclude,literal)${path}`);
  const changes = git("status", "--porcelain", "-z", "--no-renames", "--", ".", ...others);
  if (changes === "") return commit;
  throw new Error(
    `There are uncommitted changes (${namesIn(changes)}), so the commit does not identify this roll-out: commit them, add files that are not part of the program to .gitignore, or pass --change.`,
  );
}

const MOST_NAMES = 5;

function namesIn(status: string): string {
  const names = status.split("\0").flatMap((entry) => entry.slice(3) || []);
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The stacks that a change has reached. */
export interface Done {
  readonly change: string;
  readonly done: readonly string[];
}

/** Keeps the stacks that an earlier run of the same change has done; if all of these are done, it starts over. */
export function stillDone(record: Done | undefined, change: string, stacks: readonly string[]): readonly string[] {
  if (record?.change !== change) return [];
  const isComplete = stacks.every((name) => record.done.includes(name));
  return isComplete ? record.done.filter((name) => !stacks.includes(name)) : record.done;
}
