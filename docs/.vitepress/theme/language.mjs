/** Programs, names and types are shown in the language that the reader chose last: on every page, and after a reload. */
const KEY = "clouddb-language";
const TAB = ".vp-code-group:not(.parts) .tabs input";

export function rememberLanguage({ target }) {
  if (!target.matches(TAB)) return;
  localStorage.setItem(KEY, languageOf(target));
  const label = target.nextElementSibling;
  const { top } = label.getBoundingClientRect();
  showLanguage();
  // Other groups scroll to their tabs, and programs above have other lengths.
  window.scrollBy({ top: label.getBoundingClientRect().top - top, behavior: "instant" });
}

/** Names and types that differ from those of TypeScript. */
const NAME = ".vp-doc code:is([data-python], [data-go], [data-yaml])";

/** Clicks the tab of the language in each group that shows another one, and spells names and types as it does. */
export function showLanguage() {
  const language = localStorage.getItem(KEY);
  for (const name of document.querySelectorAll(NAME)) {
    name.dataset.typescript ??= name.textContent;
    name.textContent = name.dataset[(language ?? "TypeScript").toLowerCase()] ?? name.dataset.typescript;
  }
  for (const tab of document.querySelectorAll(`${TAB}:not(:checked)`)) {
    // A click on the label would take the focus from the tab that the reader is at.
    if (languageOf(tab) === language) tab.click();
  }
}

function languageOf(tab) {
  return tab.nextElementSibling.textContent;
}
