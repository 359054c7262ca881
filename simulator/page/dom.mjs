/** Building elements. Text goes in as text: nothing that a name contains is ever read as markup. */

/**
 * @param {string} tag an element's name, with classes behind dots: `li.entry`
 * @param {Record<string, string | number | boolean | undefined>} attributes
 * @param {...(Node | string | undefined | false)} children
 */
export function element(tag, attributes = {}, ...children) {
  const [name = "div", ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

/**
 * What a thing has, as terms and their values; what it does not have is left out.
 * @param {Record<string, Node | string | number | boolean | undefined>} values
 */
export function facts(values) {
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
 * A long name may break where its words do.
 * @param {string} name
 */
function breakable(name) {
  const parts = name.split(/(?<=_)|(?<=[a-z])(?=[A-Z])/);
  return parts.flatMap((part, index) => (index === 0 ? [part] : [element("wbr"), part]));
}

/**
 * A part that opens and closes, and stays as it was left when it is drawn again.
 * @param {string} key
 * @param {string} title
 * @param {...Node} children
 */
export function folded(key, title, ...children) {
  const made = element("details", { open: opened.has(key) }, element("summary", {}, title), ...children);
  made.addEventListener("toggle", () => {
    if (/** @type {HTMLDetailsElement} */ (made).open) opened.add(key);
    else opened.delete(key);
  });
  return made;
}

/** @type {Set<string>} */
const opened = new Set();

/**
 * @param {string} id of a section
 * @param {readonly Node[]} children
 * @param {string} otherwise what stands there when there are none
 */
export function fill(id, children, otherwise) {
  const content = /** @type {HTMLElement} */ (document.querySelector(`#${id} .content`));
  content.replaceChildren(...(children.length > 0 ? children : [element("p.none", {}, otherwise)]));
}

/**
 * @param {string} id of a section
 * @param {string | number} text
 */
export function count(id, text) {
  const place = document.querySelector(`#${id} .count`);
  if (place) place.textContent = String(text);
}
