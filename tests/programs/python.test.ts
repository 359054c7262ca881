import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { testHome } from "../engine/support/stack";
import { root } from "../support/root";

const example = join(root, "examples/simulator-python");

function hasPytest(): boolean {
  try {
    execFileSync("python3", ["-m", "pytest", "--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const name = "examples/simulator-python passes with the packed simulator";
if (hasPytest()) {
  test(name, async () => {
    const folder = mkdtempSync(join(testHome(), "python-"));
    for (const file of readdirSync(example).filter((file) => file.endsWith(".py"))) {
      cpSync(join(example, file), join(folder, file));
    }
    const args = ["--no-install", "-c", "python3 -m pytest -p no:cacheprovider"];
    const { stdout } = await promisify(execFile)("npx", args, { cwd: folder });
    expect(stdout).toMatch(/= 4 passed in /);
  });
} else {
  test.skip(`${name} (needs pytest: pip install pytest)`, () => {});
}
