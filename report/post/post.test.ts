import { type Comments, PostError, postReport } from "./post";

/** Which comment a report becomes, wherever it is posted. */
const MARKER = "<!-- clouddb-report shop%2Fdev -->";

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

test("a report of a stack with an organization leaves comments of other stacks alone", async () => {
  const OWN = "<!-- clouddb-report acme-eu%2Fshop%2Fdev -->";
  const others = [MARKER, OWN.replace("acme-eu", "acme-us"), "<!-- clouddb-report shop%2F%2Fdev -->"];
  expect(await postReport(commentsWith(...others).comments, `${OWN}\nnew`)).toBe("created");
  expect(await postReport(commentsWith(...others, OWN).comments, `${OWN}\nnew`)).toBe("updated 3");
  expect(await postReport(commentsWith(OWN).comments, `${MARKER}\nnew`)).toBe("created");
});

test.each([
  [undefined, "see the run for the reason"],
  ["https://ci.example/1", "see [the run](https://ci.example/1) for the reason"],
])("an earlier report that cannot be updated is marked as out of date: %s", async (runUrl, says) => {
  const { comments, bodies } = commentsWith(`${MARKER}\nold`);
  await expect(postReport(comments, `${MARKER}\ntoo long`, runUrl)).rejects.toThrow("refused");
  expect(bodies()).toEqual([
    `${MARKER}\n\n❌ **This report is out of date.** The current one could not be posted; ${says}.\n`,
  ]);
});

test("if the mark fails, too, the first failure is reported", async () => {
  const { comments } = commentsWith(`${MARKER}\nold`);
  let attempts = 0;
  const update = async (): Promise<string> => {
    attempts += 1;
    throw new Error(`failure ${attempts}`);
  };
  await expect(postReport({ ...comments, update }, `${MARKER}\nnew`)).rejects.toThrow("failure 1");
  expect(attempts).toBe(2);
});
