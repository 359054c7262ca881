import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keptFolder, releaseFolder } from "./kept-folder";

let links: string;
let made: string[];
beforeEach(() => {
  links = mkdtempSync(join(tmpdir(), "clouddb-links-"));
  made = [];
});
afterEach(() => {
  for (const folder of [...made, links]) rmSync(folder, { recursive: true, force: true });
});

const folderOf = (source: string, variant = "sdk") =>
  keptFolder(links, { source, variant }, async (folder) => {
    made.push(folder);
    writeFileSync(join(folder, "content"), source);
  });

test("a folder is made once for the same content", async () => {
  const first = await folderOf("a");
  releaseFolder(first);
  expect(await folderOf("a")).toBe(first);
  expect(made).toEqual([first]);
});

test("another source gives a new folder and removes the old ones, another variant stands beside it", async () => {
  const old = [await folderOf("a"), await folderOf("a", "older-sdk")];
  expect(new Set(old).size).toBe(2);
  expect(old.map((folder) => existsSync(folder))).toEqual([true, true]);
  for (const folder of old) releaseFolder(folder);
  const changed = await folderOf("b");
  expect(old.map((folder) => existsSync(folder))).toEqual([false, false]);
  expect(readdirSync(links)).toEqual(["b-sdk"]);
  expect(existsSync(changed)).toBe(true);
});

test("a folder that a process uses stays until that process ends", async () => {
  const old = await folderOf("a");
  await folderOf("b");
  expect(existsSync(old)).toBe(true);
  releaseFolder(old);
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(join(old, "users", String(pid)), "");
  await folderOf("b");
  expect(existsSync(old)).toBe(false);
});

test("a folder that failed, or that the machine has removed, is made again", async () => {
  const failing = keptFolder(links, { source: "a", variant: "sdk" }, async (folder) => {
    made.push(folder);
    throw new Error("no registry");
  });
  await expect(failing).rejects.toThrow("no registry");
  expect(existsSync(String(made[0]))).toBe(false);
  const second = await folderOf("a");
  rmSync(second, { recursive: true });
  expect(await folderOf("a")).not.toBe(second);
});

test("a process that makes the same folder at the same time does not fail", async () => {
  const folders = await Promise.all([folderOf("a"), folderOf("a")]);
  expect(new Set(folders).size).toBe(1);
  expect(made.filter((folder) => existsSync(folder))).toEqual([folders[0]]);
});

test("an interrupted process leaves nothing of a folder that is not whole", () => {
  const temporary = mkdtempSync(join(tmpdir(), "clouddb-interrupted-"));
  made.push(temporary);
  const program = `
    const { keptFolder } = require(${JSON.stringify(join(__dirname, "kept-folder.ts"))});
    keptFolder(${JSON.stringify(links)}, { source: "a", variant: "sdk" }, async (folder) => {
      require("node:fs").writeFileSync(folder + "/content", "half");
      process.exit(7);
    });`;
  const env = { ...process.env, TMPDIR: temporary };
  const { status } = spawnSync(process.execPath, ["--require", "tsx/cjs", "--eval", program], { env });
  expect([status, readdirSync(temporary).filter((name) => name.startsWith("clouddb-"))]).toEqual([7, []]);
});
