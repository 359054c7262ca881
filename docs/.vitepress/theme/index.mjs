import { onContentUpdated } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";
import { rememberLanguage, showLanguage } from "./language.mjs";

export default {
  extends: DefaultTheme,
  setup() {
    for (const update of [showLanguage, showPart, simplifyGroups]) onContentUpdated(update);
  },
  enhanceApp() {
    if (import.meta.env.SSR) return;
    document.addEventListener("change", rememberLanguage);
    window.addEventListener("hashchange", showPart);
  },
};

/** Opens the tab that holds the heading of the address. */
function showPart() {
  const heading = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = heading?.closest(".parts .vp-block:not(.active)");
  if (!part) return;
  const place = [...part.parentElement.children].indexOf(part);
  part.closest(".parts").querySelectorAll(".tabs input")[place].click();
  heading.scrollIntoView();
}

/** A group's title opens it; the arrow beside it is not a button of its own, which screen readers take as an error. */
function simplifyGroups() {
  for (const arrow of document.querySelectorAll(".VPSidebarItem .item[role=button] > .caret")) {
    for (const name of ["role", "tabindex", "aria-label"]) arrow.removeAttribute(name);
  }
}
