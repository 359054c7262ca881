import { copy, report } from "./admin.mjs";
import { element } from "./dom.mjs";
import { services } from "./model.mjs";
import { serviceIdOf } from "./request-summary.mjs";
import { showService } from "./services.mjs";
import { quote } from "./shell.mjs";

/** @typedef {import("../simulation/journal").JournalEntry} Entry */

/**
 * An opened request: its body, the values that it changed, its service, and a command that repeats it.
 * @param {Entry} entry
 */
export function createDetails(entry) {
  const { method, path, body, requestId } = entry;
  const text = body === null ? "" : `\n${JSON.stringify(body, null, 1)}`;
  const curl = element("button", { id: `curl-${requestId}`, type: "button" }, "Copy as curl");
  const output = element("output");
  curl.addEventListener("click", () => {
    const command = curlCommand(entry, location.origin);
    const [missing] = /\[secret\]|@body\.json/.exec(command) ?? [];
    return report(output, () => copy(command, missing ? `Copied. Replace ${missing} first.` : "Copied."));
  });
  return [
    element("pre", {}, `${method} ${path}${text}`),
    ...drawChanges(entry),
    element("p.actions", {}, curl, ...linkToService(entry), output),
  ];
}

/** @param {Entry} entry */
function linkToService(entry) {
  const service = services.get(serviceIdOf(entry) ?? "");
  if (service === undefined) return [];
  const link = element("a", { href: `#service-${service.id}` }, `Service ${service.name}`);
  link.addEventListener("click", () => showService(service.id));
  return [link];
}

/** @param {Entry} entry */
function drawChanges({ changes, serviceId }) {
  if (changes === undefined) return serviceId === undefined ? [] : [element("p", {}, "Created the service.")];
  if (typeof changes === "string") return [element("p", {}, `Changed values: ${changes}`)];
  const lines = Object.entries(changes).flatMap(([path, change]) => {
    const { removed, added } = sidesOf(change);
    return [
      // The summary has the pipe's name.
      element("dt", {}, path.replace(/^pipes\.[^.]+\./, "")),
      element("dd", {}, ...marked("del", "−", removed), ...marked("ins", "+", added)),
    ];
  });
  return [lines.length > 0 ? element("dl.changed-values", {}, ...lines) : element("p", {}, "Changed no value.")];
}

/**
 * The removed and added values. A secret value is redacted as a whole.
 * @param {any} change
 */
function sidesOf(change) {
  if (typeof change === "string") return { removed: [], added: [change] };
  return "added" in change ? change : { removed: [change.before], added: [change.after] };
}

/**
 * @param {"del" | "ins"} tag
 * @param {string} sign
 * @param {readonly unknown[]} values
 */
function marked(tag, sign, values) {
  return values
    .filter((value) => value !== undefined)
    .map((value) => element(tag, {}, `${sign} ${typeof value === "string" ? value : JSON.stringify(value)}`));
}

/**
 * A shell command that repeats a request, with variables for the key and token.
 * @param {Entry} entry
 * @param {string} origin
 */
export function curlCommand({ method, path, body }, origin) {
  // In the journal, the length stands for a long body.
  const isOmitted = typeof body === "string" && /^\(\d+ characters\)$/.test(body);
  const data = isOmitted ? "@body.json" : quote(JSON.stringify(body));
  return [
    "curl",
    ...(method === "HEAD" ? ["--head"] : method === "GET" ? [] : ["-X", quote(method)]),
    path.startsWith("/api/")
      ? '-H "Authorization: Bearer $CLOUDDB_ACCESS_TOKEN"'
      : '-u "$CLOUDDB_KEY_ID:$CLOUDDB_KEY_SECRET"',
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", "-d", data]),
    "--globoff",
    quote(origin + path),
  ].join(" ");
}
