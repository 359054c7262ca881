/** Prints rows as a Markdown table. */
export function printTable(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log([line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n"));
}

export function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** Prints the progress to standard error, since standard output is for the tables. */
export function progress(text) {
  process.stderr.write(`… ${text}\n`);
}
