import { type Comments, PostError, postReport, UPDATE_ONLY } from "./post";

/** Which comment a report becomes, wherever it is posted. */
const MARKER = "<!-- clouddb-report shop%2Fdev -->";
const UNCHANGED = `${MARKER}\n**shop / dev**: no changes.\n`;

function commentsWith(...bodies: string[]) {
  const stored = new Map(bodies.map((body, index) => [String(index), body]));
  const comments: Comments = {
    async *own() {
      for (const [id, body] of stored) yield { id, body };
    },
    create: async (body) => {
      stored.set("new", body);
      return "created";
    },
    update: async (id, body) => {
      if (body.includes("too long")) throw new Error("refused");
      stored.set(id, body);
      return `updated ${id}`;
    },
  };
  return { comments, bodies: () => [...stored.values()] };
}

test.each(["", "hello", `x${MARKER}`, `${MARKER} x`, `\n${MARKER}`, "<!-- clouddb-report a b -->", "<!-- other a -->"])(
  "%j is not a report",
  async (text) => {
    const { comments, bodies } = commentsWith();
    const posted = postReport(comments, text);
    await expect(posted).rejects.toThrow("its first line has no clouddb-report marker");
    await expect(posted).rejects.toBeInstanceOf(PostError);
    expect(bodies()).toEqual([]);
  },
);

test.each([
  ["the marker alone", MARKER],
  ["a report with line ends of Windows", `${MARKER}\r\n\r\nold`],
])("%s in the first line identifies the comment", async (_, body) => {
  const { comments, bodies } = commentsWith(`text\n${MARKER}`, `${MARKER.replace("dev", "prod")}`, body, MARKER);
  expect(await postReport(comments, `${MARKER}\nnew`)).toBe("updated 2");
  expect(bodies()[2]).toBe(`${MARKER}\nnew`);
});

test.each<[string, string, boolean]>([
  ["no changes", UNCHANGED, false],
  ["no changes, with a notice", `${MARKER}\n> from a fork\n**shop / dev**: no changes.\nCommit 1\n`, false],
  ["no changes of two stacks", `${UNCHANGED}\n${UNCHANGED.replace("dev", "prod")}`, true],
  ["a marker within a line", `${UNCHANGED}\nsee ${MARKER}\nand ${MARKER} there\n`, false],
  ["changes", `${MARKER}\n**1 to create**\n`, true],
  ["a sentence about no changes", `${MARKER}\nsee **shop / dev**: no changes.\n`, true],
  ["no changes, but", `${MARKER}\n**shop / dev**: no changes. But\n`, true],
  ["only the stack", `${MARKER}\n**shop / dev**: no resource changes; create the stack itself.\n`, true],
])("with skipsUnchanged, a first report is posted only if something changes: %s", async (_, report, isPosted) => {
  const { comments, bodies } = commentsWith();
  const address = await postReport(comments, report, { skipsUnchanged: true });
  expect([address, bodies()]).toEqual(isPosted ? ["created", [report]] : [undefined, []]);
  expect(await postReport(comments, report)).toBe(isPosted ? "updated new" : "created");
  expect(await postReport(comments, report, { skipsUnchanged: true })).toBe("updated new");
});

test.each([
  [`${MARKER}\n${UPDATE_ONLY}\n\n### changes\n`, false],
  [`${MARKER}\r\n${UPDATE_ONLY}\r\n\r\n### changes\r\n`, false],
  // Only where --comment-if writes it.
  [`${MARKER}\n\n${UPDATE_ONLY}\n`, true],
  [`${MARKER}\n> ${UPDATE_ONLY}\n`, true],
])("a report creates a comment unless its second line says not to: %j", async (report, isPosted) => {
  const { comments, bodies } = commentsWith(`${MARKER.replace("dev", "prod")}\nother`);
  expect(await postReport(comments, report)).toBe(isPosted ? "created" : undefined);
  expect(bodies()).toHaveLength(isPosted ? 2 : 1);
});

test.each([
  [undefined, "see the run for the reason"],
  ["https://ci.example/1", "see [the run](https://ci.example/1) for the reason"],
])("an earlier report that cannot be updated is marked as out of date: %s", async (runUrl, says) => {
  const { comments, bodies } = commentsWith(`${MARKER}\nold`);
  await expect(postReport(comments, `${MARKER}\ntoo long`, { runUrl })).rejects.toThrow("refused");
  expect(bodies()).toEqual([
    `${MARKER}\n\n❌ **This report is out of date.** The current one could not be posted; ${says}.\n`,
  ]);
});

test("if not even that can be done, the first failure is reported", async () => {
  const { comments } = commentsWith(`${MARKER}\nold`);
  let attempts = 0;
  const update = async (): Promise<string> => {
    attempts += 1;
    throw new Error(`failure ${attempts}`);
  };
  await expect(postReport({ ...comments, update }, `${MARKER}\nnew`)).rejects.toThrow("failure 1");
  expect(attempts).toBe(2);
});
