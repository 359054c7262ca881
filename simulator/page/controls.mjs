import { callAdmin, onSubmit, report } from "./admin.mjs";
import { createFields, readFields } from "./form.mjs";

/** The forms for rate limit, clock and seed. */

const REPLACES = "All services, faults and requests of the simulator are replaced. Continue?";

const [rateLimit, clock, seed] = [formOf("rate-limit"), formOf("clock"), formOf("seed")];
let millisecondsAhead = 0;

/** @param {string} id */
function formOf(id) {
  return /** @type {HTMLFormElement} */ (document.getElementById(id));
}

/** @param {string} id */
function readNumber(id) {
  return Number(/** @type {HTMLInputElement} */ (document.getElementById(id)).value);
}

/** @param {import("./form.mjs").Schema} schema of the rate limit */
export function prepareRateLimitForm(schema = {}) {
  rateLimit.querySelector(".fields")?.replaceChildren(...createFields(schema));
}

/** @param {string} now the simulator's time */
export function setClock(now) {
  millisecondsAhead = Date.parse(now) - Date.now();
  showTime();
}

function showTime() {
  const time = clock.querySelector("time");
  const [date, clockTime] = new Date(Date.now() + millisecondsAhead).toISOString().split(/[T.]/);
  if (time) time.textContent = `${date} ${clockTime} UTC`;
}
setInterval(showTime, 1000);

onSubmit(rateLimit, async () => {
  await callAdmin("PUT", "rate-limit", readFields(rateLimit));
  return "Set.";
});

onSubmit(clock, async () => {
  const { now } = await callAdmin("PUT", "clock", {
    advanceSeconds: readNumber("amount") * readNumber("unit"),
  });
  setClock(now);
  return "Advanced.";
});

onSubmit(seed, async () => loadSeed(await readJson(seed)));
onClick(seed, "example", async () => loadSeed(await (await fetch("example-seed.json")).json()));
onClick(seed, "reset", async () => {
  if (!confirm(REPLACES)) return "Nothing has changed.";
  await callAdmin("POST", "reset");
  return "Restored the initial state and clock.";
});

/** @param {unknown} content */
async function loadSeed(content) {
  if (!confirm(REPLACES)) return "Nothing has changed.";
  await callAdmin("PUT", "seed", content);
  return "Loaded.";
}

/** @param {HTMLFormElement} form with the input of a file */
async function readJson(form) {
  const [file] = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]")).files ?? [];
  const text = await file?.text().catch(() => {
    throw new Error(`${file.name} has changed since you chose it; choose it again.`);
  });
  try {
    return JSON.parse(text ?? "");
  } catch (error) {
    throw new Error(`${file?.name} is not valid JSON: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} id of a button
 * @param {() => Promise<string>} action
 */
function onClick(form, id, action) {
  document.getElementById(id)?.addEventListener("click", () => report(form.querySelector("output"), action));
}
