/** Removes the markup from a report for a terminal. */
export function markdownToText(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->\n*/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/^#+ /gm, "")
    .replace(/\[run\]\((\S*)\)/g, "run: $1")
    .replaceAll("**", "")
    .replaceAll("&#8203;", "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\n{3,}/g, "\n\n");
}
