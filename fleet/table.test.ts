import { changesText, durationText, firstSentence, markdownTable, stacksText, textTable } from "./table";

test("tables and texts", () => {
  const rows = [
    ["s-01", "updated"],
    ["production|eu", ""],
  ];
  expect(textTable(["stack", "result"], rows)).toBe("stack          result\ns-01           updated\nproduction|eu\n");
  expect(markdownTable(["stack", "result"], rows)).toBe(
    "| stack | result |\n| --- | --- |\n| s-01 | updated |\n| production&#124;eu |  |\n",
  );
  expect(changesText({ update: 2, create: 1, same: 3 }, false)).toBe("1 created, 2 updated");
  expect(changesText({ update: 2, create: 1 }, true)).toBe("1 to create, 2 to update");
  expect([3.4, 59.6, 61].map(durationText)).toEqual(["3 s", "1 min 0 s", "1 min 1 s"]);
  expect(firstSentence("Updating 1.2.3 (PATCH /v1): 403. Grant it. `pulumi up`")).toBe(
    "Updating 1.2.3 (PATCH /v1): 403.",
  );
  expect([1, 2].map(stacksText)).toEqual(["1 stack", "2 stacks"]);
  expect(firstSentence("no sentence")).toBe("no sentence");
  const python =
    'Program failed:\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: no name.\nmore';
  expect(firstSentence(python)).toBe("Program failed: Traceback (most recent call last): ValueError: no name.");
});
