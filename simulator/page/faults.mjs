import { callAdmin, onSubmit, report } from "./admin.mjs";
import { element, fillSection, plural, setCount } from "./dom.mjs";
import { createFields, readFields } from "./form.mjs";

/**
 * @typedef {import("../simulation/fault-rules").FaultRule} FaultRule
 * @typedef {import("../simulation/rate-limit").RateLimit} RateLimit
 */

const form = /** @type {HTMLFormElement} */ (document.querySelector("#add-fault form"));
const effect = /** @type {HTMLSelectElement} */ (document.getElementById("effect"));
const ruleFields = /** @type {HTMLElement} */ (document.getElementById("rule-fields"));
const effectFields = /** @type {HTMLElement} */ (document.getElementById("effect-fields"));
const outcome = document.getElementById("faults-outcome");

/** @param {import("./form.mjs").Schema} rule */
export function prepareFaultForm(rule = {}) {
  const effects = rule.properties?.effect?.oneOf ?? [];
  ruleFields.replaceChildren(...createFields(rule, ["effect"]));
  effect.replaceChildren(...effects.map(({ properties }) => element("option", {}, properties?.kind?.const)));
  const showEffect = () => {
    const schema = effects[effect.selectedIndex] ?? {};
    const description = /** @type {HTMLElement} */ (document.getElementById("effect-description"));
    description.textContent = (schema.description ?? "").replaceAll("`", "");
    effectFields.replaceChildren(...createFields(schema));
  };
  effect.addEventListener("change", showEffect);
  showEffect();
}

onSubmit(form, async () => {
  const rule = { ...readFields(ruleFields), effect: { kind: effect.value, ...readFields(effectFields) } };
  await changeFaults((faults) => [...faults, rule]);
  return "Added; the first matching rule applies.";
});

/**
 * The list as it is now, since requests may have used up rules that the page shows.
 * @param {(faults: FaultRule[]) => FaultRule[]} change
 */
async function changeFaults(change) {
  const { faults } = await callAdmin("GET", "faults");
  await callAdmin("PUT", "faults", { faults: change(faults) });
}

/**
 * @param {readonly FaultRule[]} rules
 * @param {RateLimit | undefined} rateLimit
 */
export function drawFaults(rules, rateLimit) {
  const lines = rules.map(drawRule);
  if (rateLimit) {
    const text = `${plural(rateLimit.requests, "request")} in ${rateLimit.seconds} s`;
    const remove = () => callAdmin("DELETE", "rate-limit");
    lines.push(drawLine("rate limit", text, button("rate-limit-remove", "Remove", `rate limit ${text}`, remove)));
  }
  setCount("faults", lines.length);
  fillSection(
    "faults",
    lines.length > 0 ? [element("ul", {}, ...lines)] : [],
    "No faults: requests are executed normally.",
    "add-fault-title",
  );
}

/**
 * @param {FaultRule} rule
 * @param {number} index
 */
function drawRule(rule, index) {
  const { method = "any", path = "", times, probability, effect } = rule;
  const { kind, ...details } = effect;
  const often = [times && plural(times, "time"), probability !== undefined && `${100 * probability} %`].filter(Boolean);
  const parts = [
    `${method} ${path}`.trim(),
    often.length > 0 && `(${often.join(", ")})`,
    Object.keys(details).length > 0 && JSON.stringify(details),
  ];
  const text = parts.filter(Boolean).join(" ");
  const remove = () =>
    changeFaults((faults) => {
      const place = faults.findIndex((each) => isSame(each, rule));
      return faults.filter((_, other) => other !== place);
    });
  return drawLine(kind, text, button(`fault-${index}-remove`, "Remove", `${kind} ${text}`, remove));
}

/**
 * @param {FaultRule} one
 * @param {FaultRule} other
 */
function isSame({ times: _, ...one }, { times: __, ...other }) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * @param {string} kind
 * @param {string} text
 * @param {...Node} buttons
 */
function drawLine(kind, text, ...buttons) {
  return element("li", {}, element("span.fault", {}, kind), ` ${text} `, element("span.actions", {}, ...buttons));
}

/**
 * @param {string} id
 * @param {string} text
 * @param {string} subject
 * @param {() => Promise<unknown>} action
 */
function button(id, text, subject, action) {
  const created = element("button", { id, type: "button", "aria-label": `${text}: ${subject}` }, text);
  created.addEventListener("click", () => report(outcome, () => action().then(() => "")));
  return created;
}
