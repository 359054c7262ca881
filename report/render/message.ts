import { hasFindings } from "../analyze/analyze";
import type { Analysis, JsonReport } from "../json-report";
import { linkTo } from "./about";
import { visibleText } from "./escape";
import { failureText, noFindingsText, summaryText, withoutEmpty } from "./markdown";
import { worstFirst } from "./render";

/** A report in a chat: at most ten lines, the last one with the link to the run. */

export const MESSAGES = ["json", "slack", "teams"] as const;

export type MessageFormat = (typeof MESSAGES)[number];

/** The body of the request that sends a report. */
export function messageFrom(report: JsonReport, format: MessageFormat): object {
  return format === "json" ? report : format === "slack" ? slackMessage(report) : teamsMessage(report);
}

interface Line {
  readonly title?: string;
  readonly text: string;
}

const MOST_LINES = 9;

function linesOf({ about, stacks }: JsonReport): Line[] {
  const [first] = stacks;
  const lines = [
    ...(about.notice ? [{ text: about.notice }] : []),
    ...worstFirst(stacks).map(headOf),
    ...(stacks.length === 1 && first ? detailsOf(first).map((text) => ({ text })) : []),
  ];
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES - 1), { text: `… and ${lines.length - MOST_LINES + 1} more` }];
}

function headOf(analysis: Analysis): Line {
  const title = analysis.stack === "" ? analysis.project || "unnamed stack" : `${analysis.project} / ${analysis.stack}`;
  const failed = analysis.outcome === "succeeded" ? "" : "❌ ";
  const text = hasFindings(analysis) ? summaryText(analysis) : noFindingsText(analysis);
  return { title, text: `: ${failed}${text}` };
}

function detailsOf(analysis: Analysis): string[] {
  const { errors, policies, irreversible, attention } = analysis;
  const violations = policies
    .filter(({ result }) => result === "failed")
    .flatMap(({ policy, findings }) => findings.map(({ message }) => ({ name: policy, reason: message })));
  const all = [
    ["❌", violations],
    ["⚠️", irreversible],
    ["👀", attention],
  ] as const;
  const reasons = all.flatMap(([sign, warnings]) =>
    warnings.map(({ name, reason }) => `${sign} ${name === "" ? "" : `${name}: `}${reason}`),
  );
  return withoutEmpty([
    failureText(analysis).replaceAll("**", ""),
    ...errors.map((error) => `❌ ${error}`),
    ...reasons,
  ]);
}

function originOf({ commit, time }: JsonReport["about"]): string {
  return withoutEmpty([
    commit ? `Commit ${commit.slice(0, 12)}` : "",
    time ? `${time.slice(0, 16).replace("T", " ")} UTC` : "",
  ]).join(" · ");
}

/** Longer lines are cut: nine of them fit into a section of Slack, which takes 3,000 characters. */
const LONGEST_LINE = 320;
const LONGEST_TITLE = 120;

/** Text without mentions and links; each character may have to be encoded. */
function harmless(text: string, most: number, encode = (character: string) => character): string {
  let result = "";
  for (const character of visibleText(text).replace(/[@#]|:(?=\/\/)|www(?=\.)/g, "$&\u200b")) {
    const next = encode(character);
    if (result.length + next.length >= most) return `${result}…`;
    result += next;
  }
  return result;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** A quote at the beginning, and a link of Markdown. An underscore inside a word is not markup. */
const SLACK_MARKUP = /[*~]|(?<=^\s*)>|\](?=\()|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Slack's markup has no escapes: look-alikes take the place of its characters. */
function slackText(text: string, most: number): string {
  const flat = text
    .replaceAll("`", "'")
    .replace(SLACK_MARKUP, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
  return harmless(flat, most, (character) => ENTITIES[character] ?? character);
}

function slackMessage(report: JsonReport): object {
  const lines = linesOf(report).map(({ title = "", text }) => {
    const bold = title === "" ? "" : `*${slackText(title, LONGEST_TITLE)}*`;
    return bold + slackText(text, LONGEST_LINE - bold.length);
  });
  const link = linkTo(report.about.runUrl ?? "");
  const origin = slackText(originOf(report.about), LONGEST_LINE);
  const last = withoutEmpty([link ? `<${link.replaceAll("&", "&amp;")}|Open the run>` : "", origin]).join(" · ");
  const sections = withoutEmpty([lines.join("\n"), last]);
  return {
    // For notifications, and for servers that only understand this much of Slack's messages.
    text: sections.join("\n"),
    blocks: sections.map((text) => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } })),
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** Adaptive Cards have no markup in a TextRun. */
function teamsMessage(report: JsonReport): object {
  const lines = [...linesOf(report), { text: originOf(report.about) }].filter(({ text }) => text !== "");
  const link = linkTo(report.about.runUrl ?? "");
  const body = lines.map(({ title = "", text }: Line) => ({
    type: "RichTextBlock",
    inlines: [
      ...(title === "" ? [] : [{ type: "TextRun", text: harmless(title, LONGEST_TITLE), weight: "Bolder" }]),
      { type: "TextRun", text: harmless(text, LONGEST_LINE) },
    ],
  }));
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body,
    actions: link ? [{ type: "Action.OpenUrl", title: "Open the run", url: link }] : [],
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
  };
}
