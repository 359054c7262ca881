import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const JUDGES = join(__dirname, "../judges");

const hasGo = spawnSync("go", ["version"]).status === 0;
/** Skipped without Go, with the reason in the name. */
export const testWithGo = (name: string, run: () => Promise<void>) =>
  (hasGo ? test : test.skip)(hasGo ? name : `${name} (skipped: Go is not installed)`, run);

/** The version of a module that the judges require. */
export function versionOf(module: string): string {
  const required = readFileSync(join(JUDGES, "go.mod"), "utf8");
  return required.split(`${module} `)[1]?.split("\n")[0] ?? "";
}

interface Line {
  readonly Action: string;
  readonly Test?: string;
  readonly Output?: string;
}

/** Runs the tests of a Go package, which find their material by these variables. Each test without subtests is a case. */
export async function judge(name: string, variables: NodeJS.ProcessEnv) {
  const env = { ...variables, CGO_ENABLED: "0" };
  const child = spawn("go", ["test", "-json", "-count=1", `./${name}`], { cwd: JUDGES, env });
  const outputs = new Map<string, string>();
  const results = new Map<string, boolean>();
  let other = "";
  child.stderr.on("data", (chunk) => {
    other += chunk;
  });
  for await (const text of createInterface(child.stdout)) {
    const { Action, Test = "", Output = "" } = JSON.parse(text) as Line;
    if (process.env.CLOUDDB_SHOW_OUTPUT) process.stderr.write(Output);
    outputs.set(Test, (outputs.get(Test) ?? "") + Output);
    if (Action === "pass" || Action === "fail") results.set(Test, Action === "pass");
  }
  if (results.size === 0) throw new Error(`go test ./${name} ran nothing:\n${other}${outputs.get("")}`);
  results.delete("");
  const [all, failed] = [[...results.keys()], [...results.keys()].filter((test) => !results.get(test))];
  const innermost = (tests: string[]) => tests.filter((test) => !tests.some((part) => part.startsWith(`${test}/`)));
  const failures = innermost(failed).map((test) => `${test}:\n${outputs.get(test)}`);
  return { cases: innermost(all).length, failures };
}
