import { shortId } from "../render/render";
import { type Comments, PostError, postReport } from "./post";
import { waitMs } from "./request";

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
    remove: async (id) => void stored.delete(id),
  };
  return { comments, bodies: () => [...stored.values()] };
}

const NO_REPORTS = [
  "",
  "hello",
  `x${MARKER}`,
  `${MARKER} x`,
  `\n${MARKER}`,
  "<!-- clouddb-report a b -->",
  "<!-- a -->",
];
test.each(NO_REPORTS)("the text %j is refused, since it is not a report", async (text) => {
  const { comments, bodies } = commentsWith();
  const posted = postReport(comments, text);
  await expect(posted).rejects.toThrow("its first line has no clouddb-report marker");
  await expect(posted).rejects.toBeInstanceOf(PostError);
  expect(bodies()).toEqual([]);
});

test.each([
  ["the marker alone", MARKER],
  ["a report with line ends of Windows", `${MARKER}\r\n\r\nold`],
])("%s in the first line identifies the comment to update", async (_, body) => {
  const { comments, bodies } = commentsWith(
    `text\n${MARKER}`,
    `${MARKER.replace("dev", "prod")}`,
    body,
    MARKER,
  );
  expect(await postReport(comments, `${MARKER}\nnew`)).toBe("updated 2");
  expect(bodies()[2]).toBe(`${MARKER}\nnew`);
});

test("a report of a stack with an organization leaves comments of other stacks alone", async () => {
  const OWN = "<!-- clouddb-report acme-eu%2Fshop%2Fdev -->";
  const others = [
    MARKER,
    OWN.replace("acme-eu", "acme-us"),
    "<!-- clouddb-report shop%2F%2Fdev -->",
  ];
  expect(await postReport(commentsWith(...others).comments, `${OWN}\nnew`)).toBe("created");
  expect(await postReport(commentsWith(...others, OWN).comments, `${OWN}\nnew`)).toBe("updated 3");
  expect(await postReport(commentsWith(OWN).comments, `${MARKER}\nnew`)).toBe("created");
});

test("the report of a group replaces the comments of its stacks after it is posted", async () => {
  const GROUP = MARKER.replace("dev", "*");
  const STAGING = MARKER.replace("dev", "staging");
  const ids = [MARKER, STAGING].map(shortId).join(" ");
  const report = `${GROUP}\n<!-- clouddb-report replaces ${ids} -->\n\nnew`;
  const others = [MARKER.replace("dev", "production"), `text\n${MARKER}`, "text"];
  const first = commentsWith(MARKER, ...others, `${STAGING}\nold`);
  expect(await postReport(first.comments, report)).toBe("created");
  expect(first.bodies()).toEqual([...others, report]);
  const second = commentsWith(`${GROUP}\nold`, MARKER, ...others);
  expect(await postReport(second.comments, report)).toBe("updated 0");
  expect(second.bodies()).toEqual([report, ...others]);
  const failing = commentsWith(`${GROUP}\nold`, MARKER);
  await expect(postReport(failing.comments, `${report}\ntoo long`)).rejects.toThrow("refused");
  expect(failing.bodies()[1]).toBe(MARKER);
});

test.each([
  [undefined, "see the run for the reason"],
  ["https://ci.example/1", "see [the run](https://ci.example/1) for the reason"],
])(
  "an earlier report that cannot be updated is marked as out of date: %s",
  async (runUrl, says) => {
    const { comments, bodies } = commentsWith(`${MARKER}\nold`);
    await expect(postReport(comments, `${MARKER}\ntoo long`, runUrl)).rejects.toThrow("refused");
    expect(bodies()).toEqual([
      `${MARKER}\n\n❌ **This report is out of date.** The current one could not be posted; ${says}.\n`,
    ]);
  },
);

test("the first failure is reported if marking the earlier report fails as well", async () => {
  const { comments } = commentsWith(`${MARKER}\nold`);
  let attempts = 0;
  const update = async (): Promise<string> => {
    attempts += 1;
    throw new Error(`failure ${attempts}`);
  };
  await expect(postReport({ ...comments, update }, `${MARKER}\nnew`)).rejects.toThrow("failure 1");
  expect(attempts).toBe(2);
});

const NOW = Date.UTC(2026, 10, 21, 10);

test.each([
  ["0", 1000],
  ["0.001", 1000],
  ["-7", 1000],
  ["2", 2000],
  ["61", 60_000],
  ["999999999", 60_000],
  // Too many seconds to be a wait, and no moment before the year 10,000.
  ["999999999999", 1000],
  ["Sat, 21 Nov 2026 10:00:30 GMT", 30_000],
  ["Sat, 21 Nov 2026 10:00:00 GMT", 1000],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 1000],
  ["Fri, 31 Dec 9999 23:59:59 GMT", 60_000],
  ["Sat, 99 Nov 2026 10:00:30 GMT", 1000],
  ["later 9999", 1000],
  ["Fri Dec 31 23:59:59 9999", 60_000],
  ["2e1", 1000],
  ["after Fri, 31 Dec 9999 23:59:59 GMT", 1000],
  ["Fri, 31 Dec 9999 23:59:59 GMT+1", 1000],
  ["", 1000],
  [undefined, 1000],
])("the header Retry-After: %s means a wait of %s ms", (value, ms) => {
  expect(waitMs(value, 1, NOW)).toBe(ms);
});

test("later attempts wait longer than the server requests", () => {
  expect(waitMs("1", 3, NOW)).toBe(3000);
  expect(waitMs(undefined, 4, NOW)).toBe(4000);
});
