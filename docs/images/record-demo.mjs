// Writes demo.svg: an excerpt of what `npm run demo` prints. Run it after a change of the demo or
// of previews.   node docs/images/record-demo.mjs
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Of the demo's commands, by number: the first `up`, the preview of a change, and the `up` that
 * applies it.
 */
const SHOWN = [1, 3, 4];
const LINE_HEIGHT = 18;
const COLORS = { "+": "#7ee787", "~": "#e3b341", $: "#ffffff", ">": "#79c0ff" };

const { stdout, status } = spawnSync(process.execPath, ["tools/setup.mjs", "demo"], {
  cwd: join(import.meta.dirname, "../.."),
  encoding: "utf8",
});
if (status !== 0) throw new Error(`the demo ended with ${status}:\n${stdout}`);
writeFileSync(join(import.meta.dirname, "demo.svg"), picture(excerpt(stdout)));

/**
 * The commands with what they did to the service, and their API requests; without progress, the
 * stack and outputs.
 */
function excerpt(output) {
  const commands = output.split(/^ *(?=\$ pulumi )/m).slice(1);
  return SHOWN.flatMap((number, index) => {
    const [command = "", ...lines] = commands[number]
      .split("\n")
      .map((line) => line.replace(/^ {3}(\| |(?= {0,2}[A-Z]))/, ""));
    const end = lines.findIndex((line) => /^(Outputs|Resources):/.test(line));
    const changes = lines
      .slice(0, end)
      .filter((line) => /^ +([+~]|\]|\})/.test(line) && !/:Stack|[a-z]ing \(/.test(line));
    const requests = lines
      .slice(lines.findIndex((line) => line.startsWith("API requests:")))
      .filter((line) => /^(API requests: | +[A-Z]+ )/.test(line));
    return [...(index > 0 ? [""] : []), command, ...[...changes, ...requests].map(shortened)];
  });
}

/**
 * A line without ids and times, which differ from run to run, cut to a picture that a phone shows
 * readably.
 */
function shortened(line) {
  const path = line
    .replace(/\/v1\/organizations\/[^/]+/, "…")
    .replace(/[0-9a-f]{8}(-[0-9a-f-]{27}|…)/g, "…");
  const lasting = path
    .replace(/ \(\d+(\.\d+)?s\)/, "")
    .replace("🔒", "")
    .trimEnd();
  return lasting.length > 60 ? `${lasting.slice(0, 59)}…` : lasting;
}

function picture(lines) {
  const texts = lines.map((line, index) => {
    const mark = /^API requests|^ +[A-Z]+ …/.test(line) ? ">" : line.trim().charAt(0);
    return `<text x="16" y="${28 + index * LINE_HEIGHT}" fill="${COLORS[mark] ?? "#c9d1d9"}">${escaped(line)}</text>`;
  });
  const height = 28 + lines.length * LINE_HEIGHT;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 ${height}" width="500" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">
<title>A service is created and updated with Pulumi</title>
<rect width="500" height="${height}" rx="8" fill="#0d1117"/>
${texts.join("\n")}
</svg>
`;
}

/** As text of an SVG, in which browsers collapse common spaces. */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(" ", "\u00a0");
}
