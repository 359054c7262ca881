import { hideIn } from "../judge/values";
import type { Preview } from "../preview";
import { jsonOf } from "./json";
import { markdownOf } from "./markdown";
import { textOf } from "./text";

/** What a comment may hold where it is read: GitHub's limit is 65,536 characters, GitLab's a million, Azure's 150,000. */
const MOST_BYTES = { github: 65_000, gitlab: 990_000, azure: 149_000, text: 1_000_000, json: Number.POSITIVE_INFINITY };

export type Format = keyof typeof MOST_BYTES;
export const FORMATS = Object.keys(MOST_BYTES) as Format[];

interface Options {
  readonly masks: readonly RegExp[];
  readonly maxBytes?: number | undefined;
}

/** Several stacks share the budget. */
export function written(previews: readonly Preview[], format: Format, { masks, maxBytes }: Options): string {
  const safe = previews.map((preview) => withMasks(preview, masks));
  if (format === "json") {
    const reports = safe.map((preview) => jsonOf(preview, masks));
    return `${JSON.stringify(reports, undefined, 2)}\n`;
  }
  const share = Math.floor((maxBytes ?? MOST_BYTES[format]) / previews.length);
  const markdown = safe.map((preview) => markdownOf(preview, { masks, maxBytes: share })).join("\n");
  return format === "text" ? textOf(markdown) : markdown;
}

/** Names and messages are texts of others, too; properties are hidden where they are compared. */
function withMasks(preview: Preview, masks: readonly RegExp[]): Preview {
  const hidden = (text: string) => hideIn(text, masks);
  const change = (each: Preview["changes"][number]) => ({ ...each, name: hidden(each.name), urn: hidden(each.urn) });
  return {
    ...preview,
    project: hidden(preview.project),
    stack: hidden(preview.stack),
    changes: preview.changes.map(change),
    drift: preview.drift.map(change),
    policies: preview.policies.map((each) => ({ ...each, urn: hidden(each.urn), message: hidden(each.message) })),
    diagnostics: preview.diagnostics.map((each) => ({ ...each, urn: hidden(each.urn), message: hidden(each.message) })),
  };
}
