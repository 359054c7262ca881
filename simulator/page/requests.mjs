import { callAdmin } from "./controls.mjs";
import { html, useState } from "./preact.mjs";

/** Lists the latest requests, with the names of their resources. */

const MAX_ROWS = 200;
const MAX_CHANGES = 4;
const SERVICE = /\/services\/([^/?]+)/;
/** Matches a part of a path with a list and an object's id. */
const OBJECT = /\/\w+\/([^/?]+)/g;

export function Requests({ requests, organizations, act, showService }) {
  const [text, setText] = useState("");
  /** The first digit of the status; empty for all requests. */
  const [failure, setFailure] = useState("");
  const byId = new Map(organizations.flatMap(objectsIn).map((item) => [item.id, item]));
  const rows = requests.map((entry) => describeRequest(entry, byId));
  const matches = rows.filter(
    (row) => String(row.status).startsWith(failure) && row.searchText.includes(text.toLowerCase()),
  );
  const failures = (digit) => {
    const count = rows.filter(({ status }) => String(status).startsWith(digit)).length;
    const toggle = () => setFailure(failure === digit ? "" : digit);
    return html`<button aria-pressed=${failure === digit} onClick=${toggle}>${digit}xx <b>${count}</b></button>`;
  };
  const count =
    matches.length === rows.length ? rows.length : `${matches.length} of ${rows.length}`;
  const none =
    rows.length === 0
      ? "No requests yet. The simulator has printed the settings for a program."
      : "No request matches the filter.";
  return html`
    <section id="requests" aria-labelledby="requests-title">
      <h2 id="requests-title">Requests <span class="count">${count}</span></h2>
      <div class="actions">
        ${failures("4")} ${failures("5")}
        <input type="search" aria-label="Filter the requests"
          placeholder="Method, status, resource or id"
          value=${text} onInput=${({ target }) => setText(target.value)} />
        <button onClick=${() => act(() => callAdmin("DELETE", "requests"))}>Clear</button>
      </div>
      ${matches.length === 0 && html`<p class="none">${none}</p>`}
      <ol aria-label="The latest requests, newest first">
        ${matches
          .slice(-MAX_ROWS)
          .reverse()
          .map((row) => html`<${Row} key=${row.requestId} ...${{ row, showService }} />`)}
      </ol>
    </section>`;
}

function Row({ row, showService }) {
  const { method, path, body, status, at, milliseconds, fault, target, changes, service } = row;
  return html`
    <li>
      <details>
        <summary>
          <span class="time">${at.slice(11, 19)} · ${milliseconds} ms</span>
          <b class=${`s${String(status)[0]}`}>${status || "broken"}</b> ${method} <b
            class="subject">${target}</b> <span class="changes">${changes}</span>
          ${fault && html` <span class="tag fault">${fault}</span>`}
        </summary>
        <pre>${method} ${path}${body === null ? "" : `\n${JSON.stringify(body, null, 1)}`}</pre>
        ${
          service &&
          html`<a href=${`#service-${service.id}`}
            onClick=${() => showService(service)}>Service ${service.name}</a>`
        }
      </details>
    </li>`;
}

/** An object and the objects in its lists. */
function objectsIn(object) {
  const lists = Object.values(object).filter(Array.isArray);
  return [
    object,
    ...lists.flatMap((list) => list.filter((item) => item?.id !== undefined).flatMap(objectsIn)),
  ];
}

function describeRequest(entry, byId) {
  const { path, serviceId, method, status } = entry;
  const service = byId.get(serviceId ?? SERVICE.exec(path)?.[1].toLowerCase());
  const target = describeTarget(entry, byId);
  const searchText = [method, status || "broken", target, path, serviceId].join(" ").toLowerCase();
  return { ...entry, service, target, changes: describeChanges(entry), searchText };
}

function describeTarget({ method, path, body }, byId) {
  if (!path.startsWith("/v1/organizations/"))
    return path.replace(/^\/api\/v2\/(alerts\/)?/, (_text, alert) => (alert ? "alert " : ""));
  if (method === "POST") return String(body?.name ?? "My service");
  const names = [...path.slice("/v1".length).matchAll(OBJECT)].map(
    ([, id]) => byId.get(id.toLowerCase())?.name ?? `${id.slice(0, 8)}…`,
  );
  // The organization's name is omitted, except for its own requests.
  return (names.length > 1 ? names.slice(1) : names).join(" › ");
}

/** A request's changes in a few words. */
function describeChanges({ method, path, body }) {
  if (method === "POST") return "new service";
  if (method === "GET") return path.endsWith("/settings") ? "settings" : "";
  const changes = listChanges("", body ?? {});
  const more = changes.splice(MAX_CHANGES).length;
  return [...changes, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

function listChanges(name, value) {
  if (Array.isArray(value)) return [`${name} (${value.length})`];
  if (typeof value !== "object" || value === null)
    return [value === "[secret]" ? name : `${name}: ${value}`];
  const { add, remove } = value;
  const sizes = [
    add?.length > 0 && ` +${add.length}`,
    remove?.length > 0 && ` −${remove.length}`,
  ].filter(Boolean);
  if (sizes.length > 0) return [name + sizes.join("")];
  return Object.entries(value).flatMap(([inner, each]) =>
    listChanges(name === "" ? inner : `${name}.${inner}`, each),
  );
}
