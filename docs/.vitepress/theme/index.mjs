import { onContentUpdated } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { Layout } from "./layout.mjs";
import "./style.css";
import { rememberLanguage, showLanguage } from "./language.mjs";
import { showPart } from "./parts.mjs";
import { simplifyGroups } from "./sidebar.mjs";

export default {
  extends: DefaultTheme,
  Layout,
  setup() {
    onContentUpdated(showLanguage);
    onContentUpdated(showPart);
    onContentUpdated(simplifyGroups);
  },
  enhanceApp() {
    if (import.meta.env.SSR) return;
    document.addEventListener("change", rememberLanguage);
    window.addEventListener("hashchange", showPart);
  },
};
