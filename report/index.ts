export type { Preview } from "./preview";
export { readPreviews } from "./read/input";
export { type Format, written } from "./write/formats";
