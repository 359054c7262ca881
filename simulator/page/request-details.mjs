import { copy, report } from "./admin.mjs";
import { element } from "./dom.mjs";
import { services } from "./model.mjs";
import { serviceIdOf } from "./request-summary.mjs";
import { showService } from "./services.mjs";
import { quote } from "./shell.mjs";

/** @typedef {import("../simulation/journal").JournalEntry} Entry */

/**
 * An opened request: its body, its service, and a command that repeats it.
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
