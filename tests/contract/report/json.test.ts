import { recorded } from "./support/preview";
import { renderReport } from "./support/render";

test("the JSON report has a version, its origin and one analysis for each stack", async () => {
  const about = { notice: "from a fork", commit: "abc", runUrl: "https://ci.example/1", time: new Date(0) };
  const previews = [await recorded("update-service"), await recorded("nothing")];
  const report = renderReport(previews, "json", { about, pricePerGbHour: 0.02 });
  expect(JSON.parse(report)).toMatchObject({
    version: 1,
    about: { ...about, time: "1970-01-01T00:00:00.000Z" },
    stacks: [
      { project: "shop", stack: "production", counts: { update: 1 }, capacity: { monthlyCost: {} } },
      { project: "shop", stack: "production", counts: {}, changes: [] },
    ],
  });
});
