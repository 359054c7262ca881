/** Programs are shown in the language that the reader chose last: on every page, and after a reload. */
const KEY = "clouddb-language";
const TAB = ".vp-code-group .tabs input";

export function rememberLanguage({ target }) {
  if (!target.matches(TAB)) return;
  localStorage.setItem(KEY, languageOf(target));
  showLanguage();
}

/** Clicks the tab of the language in each group that shows another one. */
export function showLanguage() {
  const language = localStorage.getItem(KEY);
  for (const tab of document.querySelectorAll(`${TAB}:not(:checked)`)) {
    if (languageOf(tab) === language) tab.nextElementSibling.click();
  }
}

function languageOf(tab) {
  return tab.nextElementSibling.textContent;
}
