import type { RenderOptions } from "../../../report/render/render";
import { recorded } from "./support/preview";
import { renderReport } from "./support/render";

/** The origin of a report, and its optional parts. */
async function reportOf(name: string, options: RenderOptions, format: "markdown" | "text" = "markdown") {
  return renderReport([await recorded(name)], format, options);
}
const about = {
  notice: "Preview of a fork, against the simulator: <b>@maintainers</b>",
  commit: "0123456789abcdef",
  runUrl: "https://ci.example/runs/1",
  time: new Date("2026-11-21T22:44:00Z"),
};

test.each(["update-service", "nothing"])(
  "%s says first who vouches for it, then its commit, run and time",
  async (name) => {
    const lines = (await reportOf(name, { about })).split("\n").filter((line) => line !== "");
    expect(lines[1]).toBe("> Preview of a fork, against the simulator: &#60;b&#62;@&#8203;maintainers&#60;/b&#62;");
    expect(lines[3]).toBe("Commit <code>0123456789ab</code> · [run](https://ci.example/runs/1) · 2026-11-21 22:44 UTC");
  },
);

test("in text format, a link is its URL", async () => {
  expect(await reportOf("update-service", { about }, "text")).toContain("run: https://ci.example/runs/1");
});
