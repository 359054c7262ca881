import { createJournal } from "./journal";
import { createRecording } from "./recording";

test("a recording is refused when the journal may have lost requests", () => {
  const journal = createJournal();
  const entry = { requestId: "", method: "GET", path: "/", body: null, status: 200, at: "", milliseconds: 0 };
  const state = { organizations: new Map(), alerts: new Map(), dashboards: [] };
  for (let count = 0; count < 9_999; count += 1) journal.add(entry);
  expect(createRecording(journal, state).requests).toHaveLength(9_999);
  journal.add(entry);
  expect(() => createRecording(journal, state)).toThrow("the journal keeps only the latest 10000 requests");
});
