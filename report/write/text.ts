/** The report for a terminal: the same words without markup. */
export function textOf(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->\n*/g, "")
    .replace(/<details>(?:(?!<details>)[\s\S])*?```mermaid[\s\S]*?<\/details>\n*/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/^#+ /gm, "")
    .replaceAll("**", "")
    .replace(/\n{3,}/g, "\n\n")
    .replaceAll("&#8203;", "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
