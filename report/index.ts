export type { Preview } from "./preview";
export { readPreviews } from "./read/input";
export { type MarkdownOptions, markdownOf } from "./write/markdown";
