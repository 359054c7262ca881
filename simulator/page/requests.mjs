import { callAdmin, report } from "./admin.mjs";
import { collapsible, element, keepFocus, setCount } from "./dom.mjs";
import { createDetails } from "./request-details.mjs";
import { describeChanges, describeTarget, serviceIdOf } from "./request-summary.mjs";

/** @typedef {import("../simulation/journal").JournalEntry} Entry */

const MAX_ROWS = 200;

const list = /** @type {HTMLElement} */ (document.querySelector("#requests .content"));
const pause = /** @type {HTMLButtonElement} */ (document.getElementById("pause"));
const noRequests = /** @type {HTMLElement} */ (document.getElementById("no-requests"));
const noMatch = /** @type {HTMLElement} */ (document.getElementById("no-match"));
const status = /** @type {HTMLSelectElement} */ (document.getElementById("request-status"));
const method = /** @type {HTMLSelectElement} */ (document.getElementById("request-method"));
const resource = /** @type {HTMLInputElement} */ (document.getElementById("request-resource"));
const failures = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(".failures")]);

/** @type {Entry[]} */
let entries = [];
/**
 * The entries that a paused list shows.
 * @type {Entry[] | undefined}
 */
let frozen;

pause.addEventListener("click", () => {
  frozen = frozen ? undefined : [...entries];
  pause.setAttribute("aria-pressed", String(frozen !== undefined));
  pause.textContent = frozen ? "Resume" : "Pause";
  if (!frozen) redraw();
});
document.getElementById("clear")?.addEventListener("click", () =>
  report(document.getElementById("requests-outcome"), async () => {
    await callAdmin("DELETE", "requests");
    return "";
  }),
);
for (const control of [status, method, resource]) control.addEventListener("input", redraw);
for (const button of failures) {
  button.addEventListener("click", () => {
    const { status: wanted = "" } = button.dataset;
    status.value = status.value === wanted ? "" : wanted;
    redraw();
  });
}
fillOptions(status, "any status", ["2xx", "3xx", "4xx", "5xx"]);
fillOptions(method, "any method", []);

/** @param {readonly Entry[]} current oldest first */
export function drawRequests(current) {
  entries = [...current];
  if (frozen && entries.length === 0) frozen = [];
  for (const button of failures) setFailures(button, 0);
  for (const entry of entries) count(entry);
  redraw();
}

/** Draws the list again, with the requests that match the filter. */
function redraw() {
  const visible = (frozen ?? entries).filter(matches);
  const matching = frozen ? entries.filter(matches).length : visible.length;
  keepFocus(() => list.replaceChildren(...visible.slice(-MAX_ROWS).reverse().map(createRow)));
  for (const button of failures) button.setAttribute("aria-pressed", String(button.dataset.status === status.value));
  const total = entries.length;
  setCount("requests", matching === total ? total : `${matching} of ${total}`);
  noRequests.hidden = total > 0;
  noMatch.hidden = total === 0 || matching > 0;
}

/**
 * Counts a failed request, and offers its status and method in the filter.
 * @param {Entry} entry
 */
function count(entry) {
  const text = String(entry.status);
  for (const button of failures) {
    if (button.dataset.status?.charAt(0) === text.charAt(0)) setFailures(button, Number(button.dataset.count) + 1);
  }
  addOption(status, text);
  addOption(method, entry.method);
}

/**
 * @param {HTMLButtonElement} button
 * @param {number} number
 */
function setFailures(button, number) {
  button.dataset.count = String(number);
  const place = button.querySelector("b");
  if (place) place.textContent = String(number);
}

/**
 * @param {HTMLSelectElement} select
 * @param {string} all
 * @param {readonly string[]} values
 */
function fillOptions(select, all, values) {
  select.append(element("option", { value: "" }, all), ...values.map((value) => element("option", { value }, value)));
}

/**
 * @param {HTMLSelectElement} select
 * @param {string} value
 */
function addOption(select, value) {
  const options = [...select.options];
  if (options.some((option) => option.value === value)) return;
  select.append(element("option", { value }, value === "0" ? "broken" : value));
}

/** @param {Entry} entry */
function matches(entry) {
  const wanted = resource.value.toLowerCase();
  return (
    (method.value === "" || entry.method === method.value) &&
    (status.value === "" || String(entry.status).startsWith(status.value.replace("xx", ""))) &&
    [describeTarget(entry), entry.path, serviceIdOf(entry) ?? ""].join(" ").toLowerCase().includes(wanted)
  );
}

/** @param {Entry} entry */
function createRow(entry) {
  const { method, path, status, at, milliseconds, fault, requestId } = entry;
  const parts = [
    element("span.time", { title: requestId }, `${at.slice(11, 19)} · ${milliseconds} ms`),
    element(`span.status.s${String(status).charAt(0)}`, {}, status === 0 ? "broken" : String(status)),
    element("span.method", {}, method),
    element("span.subject", { title: path }, describeTarget(entry)),
    element("span.changes", {}, describeChanges(entry)),
    ...(fault ? [element("span.fault", {}, fault)] : []),
  ];
  const line = parts.flatMap((part) => [part, document.createTextNode(" ")]);
  return element("li", {}, collapsible(requestId, line, ...createDetails(entry)));
}
