import { element, setCount } from "./dom.mjs";
import { describeChanges, describeTarget } from "./request-summary.mjs";

/** @typedef {import("../simulation/journal").JournalEntry} Entry */

const MAX_ROWS = 200;

const list = /** @type {HTMLElement} */ (document.querySelector("#requests .content"));
const pause = /** @type {HTMLButtonElement} */ (document.getElementById("pause"));
let total = 0;
/** @type {Entry[]} */
let pending = [];

pause.addEventListener("click", () => {
  const isPaused = pause.getAttribute("aria-pressed") !== "true";
  pause.setAttribute("aria-pressed", String(isPaused));
  pause.textContent = isPaused ? "Resume" : "Pause";
  if (isPaused) return;
  const entries = pending;
  pending = [];
  entries.forEach(prependRow);
});

/** @param {readonly Entry[]} entries oldest first */
export function drawRequests(entries) {
  total = entries.length;
  setCount("requests", total);
  if (pause.getAttribute("aria-pressed") === "true") return;
  pending = [];
  list.replaceChildren(...entries.slice(-MAX_ROWS).reverse().map(createRow));
}

/** @param {Entry} entry */
export function addRequest(entry) {
  total += 1;
  setCount("requests", total);
  if (pause.getAttribute("aria-pressed") === "true") pending = [...pending, entry].slice(-MAX_ROWS);
  else prependRow(entry);
}

/** @param {Entry} entry */
function prependRow(entry) {
  list.prepend(createRow(entry));
  while (list.children.length > MAX_ROWS) list.lastElementChild?.remove();
}

/** @param {Entry} entry */
function createRow(entry) {
  const { method, path, status, at, milliseconds, body, fault, requestId } = entry;
  const line = [
    element("span.time", { title: requestId }, `${at.slice(11, 19)} · ${milliseconds} ms`),
    element(`span.status.s${String(status).charAt(0)}`, {}, status === 0 ? "broken" : String(status)),
    element("span.method", {}, method),
    element("span.subject", { title: path }, describeTarget(entry)),
    element("span.changes", {}, describeChanges(entry)),
    ...(fault ? [element("span.fault", {}, fault)] : []),
  ];
  if (body === null) return element("li", {}, ...line);
  const text = element("pre", {}, `${method} ${path}\n${JSON.stringify(body, null, 1)}`);
  return element("li", {}, element("details", {}, element("summary", {}, ...line), text));
}
