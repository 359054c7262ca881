import { SECRET } from "../judge/values";
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

/** Messages are texts of others, too; properties are masked where they are compared. */
function withMasks(preview: Preview, masks: readonly RegExp[]): Preview {
  const hidden = <Told extends { readonly message: string }>(told: Told): Told => ({
    ...told,
    message: masks.reduce((text, mask) => text.replace(mask, SECRET), told.message),
  });
  return { ...preview, policies: preview.policies.map(hidden), diagnostics: preview.diagnostics.map(hidden) };
}
