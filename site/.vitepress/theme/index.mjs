import { onContentUpdated } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { Layout } from "./layout.mjs";
import "./style.css";
import { rememberLanguage, showLanguage } from "./language.mjs";

export default {
  extends: DefaultTheme,
  Layout,
  setup() {
    onContentUpdated(showLanguage);
  },
  enhanceApp() {
    if (!import.meta.env.SSR) document.addEventListener("change", rememberLanguage);
  },
};
