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

describe("a report of a stack with an organization", () => {
  const OWN = "<!-- clouddb-report acme-eu%2Fshop%2Fdev -->";
  const OTHER = "<!-- clouddb-report acme-us%2Fshop%2Fdev -->";

  test.each([
    ["updates its comment", [MARKER, OTHER, OWN], 2],
    ["takes over the comment of an earlier version", ["hello", MARKER], 1],
    ["leaves that comment alone next to one of another organization", [MARKER, OTHER], undefined],
    ["leaves comments of other stacks alone", [OTHER, "<!-- clouddb-report shop%2Fprod -->"], undefined],
    ["leaves the comment of a fleet alone", ["<!-- clouddb-report shop%2F%2Fdev -->"], undefined],
  ])("%s", async (_, stored, updated) => {
    const { comments, bodies } = commentsWith(...stored);
    const result = await postReport(comments, `${OWN}\nnew`);
    expect(result).toBe(updated === undefined ? "created" : `updated ${updated}`);
    expect(bodies()[updated ?? stored.length]).toBe(`${OWN}\nnew`);
  });

  test.each([
    ["a stack without one makes its own", MARKER, [OWN]],
    [
      "a fleet without one makes its own",
      "<!-- clouddb-report shop%2F%2Fdrift -->",
      ["<!-- clouddb-report %2Fdrift -->"],
    ],
  ])("%s", async (_, marker, stored) => {
    expect(await postReport(commentsWith(...stored).comments, `${marker}\nnew`)).toBe("created");
  });
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
