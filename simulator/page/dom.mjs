/** Creates elements. Text stays text: markup in a name is never interpreted. */

/**
 * @param {string} tag a tag name, with classes after dots: `li.entry`
 * @param {Record<string, string | number | boolean | undefined>} attributes
 * @param {...(Node | string | undefined | false)} children
 */
export function element(tag, attributes = {}, ...children) {
  const [name = "div", ...classes] = tag.split(".");
  const created = document.createElement(name);
  if (classes.length > 0) created.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) created.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child) created.append(child);
  return created;
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function plural(count, noun) {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

/**
 * A description list. Values that are undefined or empty are left out.
 * @param {Record<string, Node | string | number | boolean | undefined>} values
 */
export function descriptionList(values) {
  const shown = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return element(
    "dl",
    {},
    ...shown.flatMap(([term, value]) => [
      element("dt", {}, ...breakable(term)),
      element("dd", {}, value instanceof Node ? value : String(value)),
    ]),
  );
}

/**
 * Lets a long name break between its words.
 * @param {string} name
 */
function breakable(name) {
  const parts = name.split(/(?<=_)|(?<=[a-z])(?=[A-Z])/);
  return parts.flatMap((part, index) => (index === 0 ? [part] : [element("wbr"), part]));
}

/**
 * A collapsible part, which stays open or closed when it is drawn again.
 * @param {string} key
 * @param {string | readonly Node[]} title
 * @param {...Node} children
 */
export function collapsible(key, title, ...children) {
  const summary = element("summary", { id: `summary-${key}` }, ...(typeof title === "string" ? [title] : title));
  const created = element("details", { open: opened.has(key) }, summary, ...children);
  created.addEventListener("toggle", () => {
    if (/** @type {HTMLDetailsElement} */ (created).open) opened.add(key);
    else opened.delete(key);
  });
  return created;
}

/** @type {Set<string>} */
const opened = new Set();

/**
 * Draws again without losing the keyboard's place.
 * @param {() => void} draw
 * @param {string} [otherwise] the id of the element to focus if the focused one is gone
 */
export function keepFocus(draw, otherwise = "") {
  const focused = document.activeElement;
  draw();
  if (focused === null || focused.isConnected || focused.id === "") return;
  (document.getElementById(focused.id) ?? document.getElementById(otherwise))?.focus();
}

/**
 * @param {string} id of a section
 * @param {readonly Node[]} children
 * @param {string} placeholder the text of an empty section
 * @param {string} [otherwise] the id of the element to focus if the focused one is gone
 */
export function fillSection(id, children, placeholder, otherwise) {
  const content = /** @type {HTMLElement} */ (document.querySelector(`#${id} .content`));
  const nodes = children.length > 0 ? children : [element("p.none", {}, placeholder)];
  keepFocus(() => content.replaceChildren(...nodes), otherwise);
}

/**
 * @param {string} id of a section
 * @param {string | number} text
 */
export function setCount(id, text) {
  const place = document.querySelector(`#${id} .count`);
  if (place) place.textContent = String(text);
}
