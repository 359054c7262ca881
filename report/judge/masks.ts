import type { Change, Preview, State } from "../preview";
import { hideIn } from "./values";

/** Names and messages are texts of others, too; properties are hidden where they are compared. */
export function withMasks(preview: Preview, masks: readonly RegExp[]): Preview {
  if (masks.length === 0) return preview;
  const hidden = (text: string) => hideIn(text, masks);
  const state = (each: State | undefined) => each && { ...each, provider: hidden(each.provider) };
  const sources = (each: Change["sources"]) =>
    Object.fromEntries(Object.entries(each).map(([name, urns]) => [name, urns.map(hidden)]));
  const change = (each: Change): Change => ({
    ...each,
    name: hidden(each.name),
    urn: hidden(each.urn),
    parent: hidden(each.parent),
    before: state(each.before),
    after: state(each.after),
    dependencies: each.dependencies.map(hidden),
    sources: sources(each.sources),
  });
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
