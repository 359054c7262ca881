import promises from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/support/temporary-folder";
import { openStore } from "./journal-place";

test("each new folder on the way to a record is written to the disk", async () => {
  const outermost = temporaryFolder("synced");
  const folder = join(outermost, "one", "two", "three");
  const opened = jest.spyOn(promises, "open");
  await openStore(`${folder}/`, String).put("a1", "{}");
  const folders = opened.mock.calls.flatMap(([path, flags]) => (flags === "r" ? [path] : []));
  expect(folders).toEqual([join(outermost, "one", "two"), join(outermost, "one"), outermost, `${folder}/`]);
  opened.mockClear();
  await openStore(folder, String).put("a2", "{}");
  expect(opened.mock.calls.flatMap(([path, flags]) => (flags === "r" ? [path] : []))).toEqual([folder]);
});
