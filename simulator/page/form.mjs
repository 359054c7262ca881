import { element } from "./dom.mjs";

/**
 * Fields of a form, from the schemas of the OpenAPI document: their names, types, limits and defaults.
 * @typedef {{ type?: string, const?: string, enum?: (string | number)[], minimum?: number, maximum?: number, description?: string,
 *   properties?: Record<string, Schema>, required?: string[], oneOf?: Schema[] }} Schema
 */

/** @returns {Promise<Record<string, Schema>>} */
export async function readSchemas() {
  const { components } = await (await fetch("openapi.json")).json();
  return components.schemas;
}

/**
 * A field for each of a schema's properties.
 * @param {Schema} schema
 * @param {readonly string[]} [omitted]
 */
export function createFields({ properties = {}, required = [] }, omitted = []) {
  return Object.entries(properties)
    .filter(([name, schema]) => schema.const === undefined && !omitted.includes(name))
    .map(([name, schema]) => element("label", {}, name, createControl(name, schema, required.includes(name))));
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean} required
 */
function createControl(name, { type = "json", enum: choices, minimum, maximum, description = "" }, required) {
  const [, fallback = ""] = /Default: `?([^`.,]+)/.exec(description) ?? [];
  const common = { "data-name": name, "data-type": type, required, title: description || undefined };
  if (choices) {
    const options = choices.map((choice) => element("option", { value: JSON.stringify(choice) }, String(choice)));
    const omit = element("option", { value: "" }, fallback || "default");
    return element("select", { ...common, "data-type": "json" }, ...(required ? options : [omit, ...options]));
  }
  if (type === "integer" || type === "number") {
    const step = type === "integer" ? 1 : "any";
    return element("input", { ...common, type: "number", step, min: minimum, max: maximum, placeholder: fallback });
  }
  const isText = type === "string";
  const input = element("input", { ...common, placeholder: isText ? fallback : "JSON", autocomplete: "off" });
  if (!isText) input.addEventListener("input", validateJson);
  return input;
}

/** @param {Event} event */
function validateJson({ target }) {
  const input = /** @type {HTMLInputElement} */ (target);
  try {
    if (input.value !== "") JSON.parse(input.value);
    input.setCustomValidity("");
  } catch {
    input.setCustomValidity('Enter JSON, for example {"a": 1} or "text".');
  }
}

/**
 * The values of the fields that are not empty.
 * @param {Element} container
 */
export function readFields(container) {
  const controls = /** @type {NodeListOf<HTMLInputElement>} */ (container.querySelectorAll("[data-name]"));
  return Object.fromEntries(
    [...controls].filter(({ value }) => value !== "").map((control) => [control.dataset.name, readValue(control)]),
  );
}

/** @param {HTMLInputElement} control */
function readValue({ value, type, dataset }) {
  // Unlike JSON, also ".5".
  if (type === "number") return Number(value);
  return dataset.type === "string" ? value : JSON.parse(value);
}
