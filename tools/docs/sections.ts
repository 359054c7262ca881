/** The text under a heading of a page, without the heading, up to the next one of the same or a higher level. */
export function section(page: string, heading: string): string {
  const lines = page.split("\n");
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const from = lines.indexOf(heading);
  if (from < 0) throw new Error(`No heading ${JSON.stringify(heading)}`);
  let isCode = false;
  const rest = lines.slice(from + 1);
  const length = rest.findIndex((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const [hashes] = /^#+(?= )/.exec(line) ?? [];
    return !isCode && hashes !== undefined && hashes.length <= level;
  });
  return rest
    .slice(0, length < 0 ? undefined : length)
    .join("\n")
    .trim();
}

/** The paragraphs between the title of a page and its first section. */
export function introduction(page: string): string {
  const title = page.split("\n").find((line) => line.startsWith("# ")) ?? "";
  const [text = ""] = section(page, title).split(/\n#+ /);
  return text.trim();
}
