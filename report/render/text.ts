/** Removes the markup from a report for a terminal; the diff stays as it is. */
export function markdownToText(markdown: string): string {
  return markdown
    .split(/^(`{3,}diff\n[\s\S]*?\n`{3,})$/m)
    .map((part, index) => (index % 2 === 1 ? part.replace(/^`{3,}(?:diff)?$\n?/gm, "") : withoutMarkup(part)))
    .join("")
    .replace(/\n{3,}/g, "\n\n");
}

function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->\n*/g, "")
    .replace(/<details>(?:(?!<details>)[\s\S])*?```mermaid[\s\S]*?<\/details>\n*/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/^#+ /gm, "")
    .replace(/\[run\]\((\S*)\)/g, "run: $1")
    .replaceAll("**", "")
    .replaceAll("&#8203;", "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
