import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";
import { temporaryFolder } from "../support/temporary-folder";

/** The command `clouddb-from-terraform` as the build has made it. */

const STATE = join(root, "tests/support/terraform/terraform.tfstate");
let folder: string;
beforeEach(() => {
  folder = temporaryFolder("from-terraform");
});

function command(args: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "provider/bin/clouddb-from-terraform.js"), ...args],
    { cwd: folder, input, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

test("writes both files to a new folder, and reports on each object", () => {
  const { status, stdout, stderr } = command([STATE, "--out", "new"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(readdirSync(join(folder, "new"))).toEqual(["Pulumi.yaml", "imports.json"]);
  expect(readFileSync(join(folder, "new/Pulumi.yaml"), "utf8")).toMatch(/^name: "new"\nruntime: "yaml"\nresources:\n/);
  expect(stdout).toContain("\nclickhouse_role.reader: skipped: no resource of this provider manages it.");
  expect(stdout).toContain("  secret, not written: double_sha1_password_hash, password_hash\n");
  expect(stdout).toContain("pulumi import --file imports.json");
});

test("reads a state from standard input, and writes to the current folder", () => {
  expect(command(["-"], readFileSync(STATE, "utf8"))).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(folder)).toEqual(["Pulumi.yaml", "imports.json"]);
});

test("overwrites nothing", () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "name: mine\n");
  const { status, stderr } = command([STATE]);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /Pulumi\.yaml already exists in .* No file was written\. Choose another folder with --out\.$/m,
  );
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toBe("name: mine\n");
  expect(existsSync(join(folder, "imports.json"))).toBe(false);
});

test("refuses a file as the folder", () => {
  writeFileSync(join(folder, "taken"), "");
  const { status, stdout, stderr } = command([STATE, "--out", "taken"]);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(
    /^clouddb-from-terraform: cannot create the folder .*taken: a file has this name\. No file was written\. .*\n$/,
  );
});

const state = (...types: string[]) =>
  JSON.stringify({
    version: 4,
    resources: types.map((type) => ({ mode: "managed", type, name: "x", instances: [{ attributes: {} }] })),
  });

test.each([
  ["no JSON", 'canary = "secret"', "the input is not a state in JSON. Pass terraform.tfstate, or `-`"],
  ["nothing", "", "the input is empty. Pass terraform.tfstate, or `-`"],
  ["a list", "[]", "the input is not a state in JSON."],
  ["version 3", '{"version":3,"modules":[]}', "the state has version 3, and only version 4 can be read."],
  ["a file without resources", '{"version":4}', "the file is not a state of Terraform."],
  ["another file", '{"name":"x"}', "the file is not a state of Terraform"],
  ["terraform show -json", '{"format_version":"1.0","values":{}}', "this is the output of `terraform show -json`."],
  ["encrypted", '{"meta":{},"encrypted_data":"AAAA"}', "the state is encrypted by OpenTofu. Run `tofu state pull |"],
  ["other providers", state("aws_instance"), "the state has no resource of the ClickHouse provider, only 1 of others."],
])("refuses %s", (_, input, reason) => {
  const { status, stdout, stderr } = command(["-"], input);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(`clouddb-from-terraform: ${reason}`);
  expect(stderr).not.toMatch(/canary|\n\s+at /);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  [["missing.tfstate"], "cannot read missing.tfstate: ENOENT"],
  [["--wrong"], "Unknown option '--wrong'"],
  [[], "pass one file.\n\nUsage: "],
  [["a", "b"], "pass one file."],
])("refuses %j", (args, reason) => {
  const { status, stderr } = command(args);
  expect(status).toBe(1);
  expect(stderr).toContain(`clouddb-from-terraform: ${reason}`);
});

test("writes no file where there is nothing to import", () => {
  const { status, stdout } = command(["-"], state("clickhouse_role"));
  expect(status).toBe(0);
  expect(stdout).toMatch(/^clickhouse_role\.x: skipped: .*\n\nNothing to import: no file was written\.\n$/);
  expect(readdirSync(folder)).toEqual([]);
});
