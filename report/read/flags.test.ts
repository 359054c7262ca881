import { resolve } from "node:path";
import { flagsOf } from "./flags";

const words = (command: string) => command.split(" ");

test.each([
  ["pulumi preview --stack a", "a"],
  ["pulumi -C x preview --diff -s a", "a"],
  ["pulumi preview --diff", undefined],
  ["timeout -s INT 60 pulumi preview", undefined],
  ["make -s preview", undefined],
  ["pulumi preview --stack pulumi", "pulumi"],
])("the command `%s` names the stack %s", (command, stack) => {
  expect(flagsOf(words(command)).stack).toBe(stack);
});

test.each([
  ["pulumi preview --diff", []],
  [
    "pulumi preview -t a --target-dependents --target=b",
    ["--target", "a", "--target-dependents", "--target=b"],
  ],
  [
    "pulumi preview --exclude a -x b --exclude-dependents",
    ["--exclude", "a", "--exclude", "b", "--exclude-dependents"],
  ],
  ["pulumi --target-replace a preview --replace b", ["--target-replace", "a", "--replace", "b"]],
  ["docker run --rm -t pulumi/pulumi pulumi preview", []],
  ["docker run --rm -t pulumi/pulumi preview -t a", ["--target", "a"]],
])("resources are selected in `%s` by the flags %j", (command, selection) => {
  expect(flagsOf(words(command)).selection).toEqual(selection);
});

test.each([
  ["env -C app pulumi preview", "app"],
  ["env --chdir=app pulumi preview -C infra", "app/infra"],
  ["yarn --cwd app pulumi preview", "app"],
  ["pulumi preview -C infra/pulumi", "infra/pulumi"],
  ["pulumi -C pulumi preview", "pulumi"],
  ["env -C app pulumi -C /srv preview", "/srv"],
])("the program of `%s` is in the folder %s", (command, folder) => {
  expect(flagsOf(words(command))).toMatchObject({ command: "up", folder: resolve(folder) });
});

test.each([
  ["pulumi preview", "up", "pulumi preview --json"],
  ["pulumi preview -j", "up", "pulumi preview -j"],
  ["pulumi --stack preview pre --diff", "up", "pulumi --stack preview pre --json --diff"],
  [
    "sudo -E pulumi destroy --preview-only",
    "destroy",
    "sudo -E pulumi destroy --json --preview-only",
  ],
  ["pulumi refresh --preview-only", "refresh", "pulumi refresh --json --preview-only"],
  ["pulumi destroy", "destroy", "pulumi destroy"],
  ["make preview", "not known", "make preview"],
  ["npm run preview -- --target a", "not known", "npm run preview -- --target a"],
])("the preview `%s` is applied with %s and runs as `%s`", (command, apply, run) => {
  const flags = flagsOf(words(command));
  expect([flags.command, flags.withEvents.join(" ")]).toEqual([apply, run]);
});

test("a command in a shell string is not recognized, but its flags that select resources are", () => {
  const command = ["docker", "run", "-t", "image", "sh", "-c", "cd app && pulumi preview -t 'a'"];
  expect(flagsOf(command)).toMatchObject({ command: "not known", selection: ["--target", "a"] });
});
