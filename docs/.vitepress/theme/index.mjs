import { onContentUpdated } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { enhanceAppWithTabs } from "vitepress-plugin-tabs/client";
import "./style.css";

export default {
  extends: DefaultTheme,
  setup() {
    onContentUpdated(spellNames);
    onContentUpdated(simplifyGroups);
  },
  enhanceApp({ app }) {
    enhanceAppWithTabs(app);
    if (import.meta.env.SSR) return;
    // The plugin stores the chosen language after the event.
    for (const event of ["click", "keyup"])
      document.addEventListener(event, () => setTimeout(spellNames));
  },
};

/** Spells the names and types of the reference as the language of the chosen tab does. */
function spellNames() {
  const { language = "TypeScript" } = JSON.parse(
    localStorage.getItem("vitepress:tabsSharedState") ?? "{}",
  );
  for (const name of document.querySelectorAll(
    ".vp-doc code:is([data-python], [data-go], [data-yaml])",
  )) {
    name.dataset.typescript ??= name.textContent;
    name.textContent = name.dataset[language.toLowerCase()] ?? name.dataset.typescript;
  }
}

/**
 * A group's title opens it; the arrow beside it is not a button of its own, which screen readers
 * take as an error.
 */
function simplifyGroups() {
  for (const arrow of document.querySelectorAll(".VPSidebarItem .item[role=button] > .caret")) {
    for (const name of ["role", "tabindex", "aria-label"]) arrow.removeAttribute(name);
  }
}
