import { execFileSync } from "node:child_process";
import { basename } from "node:path";

/** What the change is called in the record: the commit, which must then be all that is rolled out. */
export function changeId(folder: string, given: string | undefined, recordFile: string): string {
  if (given !== undefined) return given;
  const git = (...args: string[]) => {
    try {
      return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      throw new Error("The project is not in a Git repository with a commit: name the change with --change.");
    }
  };
  const commit = git("rev-parse", "HEAD");
  const others = git("status", "--porcelain", "--", ".", `:!${basename(recordFile)}`);
  if (others === "") return commit;
  throw new Error(
    "The project has changes that are not committed, so its commit does not say what is rolled out: commit them, or name the change with --change.",
  );
}
