import { count, element } from "./dom.mjs";
import { changesOf, subjectOf } from "./request-words.mjs";

/** @typedef {import("../admin/journal").JournalEntry} Entry */

const MOST_SHOWN = 200;

const list = /** @type {HTMLElement} */ (document.querySelector("#requests .content"));
const pause = /** @type {HTMLButtonElement} */ (document.getElementById("pause"));
let seen = 0;
/** @type {Entry[]} */
let held = [];

pause.addEventListener("click", () => {
  const isPaused = pause.getAttribute("aria-pressed") !== "true";
  pause.setAttribute("aria-pressed", String(isPaused));
  pause.textContent = isPaused ? "Go on" : "Pause";
  if (isPaused) return;
  const entries = held;
  held = [];
  entries.forEach(show);
});

/** @param {readonly Entry[]} entries oldest first */
export function drawRequests(entries) {
  seen = entries.length;
  count("requests", seen);
  if (pause.getAttribute("aria-pressed") === "true") return;
  held = [];
  list.replaceChildren(...entries.slice(-MOST_SHOWN).reverse().map(row));
}

/** @param {Entry} entry */
export function addRequest(entry) {
  seen += 1;
  count("requests", seen);
  if (pause.getAttribute("aria-pressed") === "true") held = [...held, entry].slice(-MOST_SHOWN);
  else show(entry);
}

/** @param {Entry} entry */
function show(entry) {
  list.prepend(row(entry));
  while (list.children.length > MOST_SHOWN) list.lastElementChild?.remove();
}

/** @param {Entry} entry */
function row(entry) {
  const { method, path, status, at, milliseconds, body, fault, requestId } = entry;
  const line = [
    element("span.time", { title: requestId }, `${at.slice(11, 19)} · ${milliseconds} ms`),
    element(`span.status.s${String(status).charAt(0)}`, {}, status === 0 ? "broken" : String(status)),
    element("span.method", {}, method),
    element("span.subject", { title: path }, subjectOf(entry)),
    element("span.changes", {}, changesOf(entry)),
    ...(fault ? [element("span.fault", {}, fault)] : []),
  ];
  if (body === null) return element("li", {}, ...line);
  const text = element("pre", {}, `${method} ${path}\n${JSON.stringify(body, null, 1)}`);
  return element("li", {}, element("details", {}, element("summary", {}, ...line), text));
}
