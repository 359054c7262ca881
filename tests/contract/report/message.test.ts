import fc from "fast-check";
import { analyze } from "../../../report/analyze/analyze";
import type { JsonReport } from "../../../report/json-report";
import type { Preview } from "../../../report/preview";
import { renderJson } from "../../../report/render/json";
import { messageFrom } from "../../../report/render/message";
import { arbitraryPreview } from "./support/arbitrary";
import { previewOf } from "./support/preview";

/** Messages in chats: short, and foreign text stays text. */

interface Section {
  readonly text: { readonly text: string };
}

function reportOf(previews: readonly Preview[], about: object = {}): JsonReport {
  const analyses = previews.map((preview) => analyze(preview, { masks: [] }));
  return { ...JSON.parse(renderJson(analyses)), about };
}

function slack(report: JsonReport) {
  return messageFrom(report, "slack") as { readonly text: string; readonly blocks: readonly Section[] };
}

function teams(report: JsonReport) {
  const { attachments } = messageFrom(report, "teams") as {
    attachments: { content: { body: { type: string; inlines: { text: string }[] }[]; actions: { url: string }[] } }[];
  };
  return attachments[0]?.content ?? { body: [], actions: [] };
}

const about = fc.record({
  notice: fc.option(fc.string({ maxLength: 5000 }), { nil: undefined }),
  commit: fc.option(fc.string(), { nil: undefined }),
  runUrl: fc.option(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true })), { nil: undefined }),
  time: fc.option(fc.string(), { nil: undefined }),
});

test("no report makes a message longer or different from what it may be", () => {
  fc.assert(
    fc.property(fc.array(arbitraryPreview, { minLength: 1, maxLength: 15 }), about, (previews, origin) => {
      const report = reportOf(previews, origin);
      const { text, blocks } = slack(report);
      expect(text.split("\n").length).toBeLessThanOrEqual(10);
      for (const section of blocks) {
        expect(section.text.text.length).toBeGreaterThan(0);
        expect(section.text.text.length).toBeLessThanOrEqual(3000);
      }
      // The only markup is the link, and bold titles.
      expect(text.replace(/<https?:[^<>|\n]+\|Open the run>/, "")).not.toMatch(
        /[<>]|&(?!(amp|lt|gt);)|[@#](?![\u200b…])/,
      );
      expect(text).not.toMatch(/[`~]/);
      for (const line of text.split("\n")) expect((line.match(/\*/g) ?? []).length).toBeLessThanOrEqual(2);
      expect(text.isWellFormed()).toBe(true);

      const { body, actions } = teams(report);
      expect(body.length + actions.length).toBeLessThanOrEqual(11);
      for (const { type, inlines } of body) {
        expect(type).toBe("RichTextBlock");
        expect(inlines.map((run) => run.text).join("")).toMatch(/^[^\n]{1,450}$/);
      }
      for (const action of actions) expect(action.url).toMatch(/^https?:\/\//);
    }),
  );
});

const hostile = {
  project: "<!channel>",
  stack: "@here *x* _y_ my_stack",
  outcome: "failed",
  errors: [
    "<@U123> see <https://evil.example|the docs> & www.evil.example\n[x](https://evil.example) `code` ~no~ #general",
  ],
} as const;

test("mentions, links and markup of foreign text stay text", () => {
  const { stacks, ...rest } = reportOf([previewOf()]);
  const report: JsonReport = { ...rest, stacks: stacks.map((stack) => ({ ...stack, ...hostile })) };
  expect(slack(report).text.split("\n")).toEqual([
    "*&lt;!channel&gt; / @\u200bhere ＊x＊ ＿y＿ my_stack*: ❌ no changes known",
    "❌ The preview failed; this report is incomplete.",
    "❌ &lt;@\u200bU123&gt; see &lt;https:\u200b//evil.example|the docs&gt; &amp; www\u200b.evil.example [x］(https:\u200b//evil.example) 'code' ～no～ #\u200bgeneral",
  ]);
  const [head, , error] = teams(report).body.map(({ inlines }) => inlines.map(({ text }) => text).join(""));
  expect(head).toBe("<!channel> / @\u200bhere *x* _y_ my_stack: ❌ no changes known");
  expect(error).toContain("[x](https:\u200b//evil.example) `code`");
});

test.each(["javascript:alert(1)", "https://user:word@ci.example/", "https://ci.example/|x>", ""])(
  "a run at %j",
  (runUrl) => {
    const report = { ...reportOf([]), about: { runUrl } } as JsonReport;
    const { text } = slack({ ...report, stacks: [] });
    expect(text).toBe(runUrl.endsWith("|x>") ? "<https://ci.example/%7Cx%3E|Open the run>" : "");
  },
);

test("text cannot quote, link or turn its direction in Slack", () => {
  const { text } = slack(reportOf([], { notice: "> a \u061c[b](https://c.example) > d ] (e)" }));
  expect(text.split("\n")[0]).toBe("＞ a [b］(https:\u200b//c.example) &gt; d ] (e)");
});
