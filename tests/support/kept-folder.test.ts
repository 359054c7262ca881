import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keptFolder, linkFolder } from "./kept-folder";
import { temporaryFolder } from "./temporary-folder";

let parent: string;
let made: number;
beforeEach(() => {
  parent = temporaryFolder("kept");
  made = 0;
});

const folderOf = (source: string, variant = "sdk") =>
  keptFolder(parent, { source, variant }, async (folder) => {
    made += 1;
    writeFileSync(join(folder, "content"), source);
  });

test("a folder is made once for the same content", async () => {
  const first = await folderOf("a");
  expect(await folderOf("a")).toBe(first);
  expect(readFileSync(join(first, "content"), "utf8")).toBe("a");
  expect(made).toBe(1);
});

test("another source gives a new folder and removes the old ones, another variant stands beside it", async () => {
  await folderOf("a");
  await folderOf("a", "older-sdk");
  expect(readdirSync(parent)).toEqual(["a-older-sdk", "a-sdk"]);
  await folderOf("b");
  expect(readdirSync(parent)).toEqual(["b-sdk"]);
});

test("a folder that failed is made again", async () => {
  const failing = keptFolder(parent, { source: "a", variant: "sdk" }, async () => {
    throw new Error("no registry");
  });
  await expect(failing).rejects.toThrow("no registry");
  expect(readdirSync(parent)).toEqual([]);
  expect(existsSync(await folderOf("a"))).toBe(true);
});

test("a process that has made the same folder meanwhile is no failure", async () => {
  const folder = await keptFolder(parent, { source: "a", variant: "sdk" }, async () => {
    mkdirSync(join(parent, "a-sdk"));
    writeFileSync(join(parent, "a-sdk", "content"), "theirs");
  });
  expect(readdirSync(parent)).toEqual(["a-sdk"]);
  expect(readFileSync(join(folder, "content"), "utf8")).toBe("theirs");
});

test("the unfinished folder of a process stays until that process has ended", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  for (const owner of [pid, process.ppid]) mkdirSync(join(parent, `unfinished-${owner}`));
  await folderOf("a");
  expect(readdirSync(parent)).toEqual(["a-sdk", `unfinished-${process.ppid}`]);
});

test("a linked folder has the same files, folders and links", () => {
  const from = join(parent, "from");
  mkdirSync(join(from, "bin"), { recursive: true });
  writeFileSync(join(from, "tool"), "text");
  symlinkSync("../tool", join(from, "bin/tool"));
  linkFolder(from, join(parent, "to"));
  rmSync(from, { recursive: true });
  expect(readFileSync(join(parent, "to/bin/tool"), "utf8")).toBe("text");
});
