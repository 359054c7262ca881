import { useData } from "vitepress";
import DefaultTheme, { VPLink } from "vitepress/theme-without-fonts";
import { h } from "vue";

/** The default layout, with a page of our own for addresses that do not exist. */
export const Layout = () => h(DefaultTheme.Layout, null, { "not-found": () => h(NotFound) });

function NotFound() {
  const search = h("button", { type: "button", onClick: openSearch }, "Search the site");
  const parts = useData().theme.value.sidebar.map((group) =>
    h(
      "li",
      h(VPLink, { href: firstLink(group) }, () => group.text),
    ),
  );
  return h("main", { class: "not-found vp-doc" }, [
    h("h1", "Page not found"),
    h("p", ["There is no page at this address. ", search, ", or start with one of its parts:"]),
    h("ul", parts),
  ]);
}

function openSearch() {
  document.querySelector("#local-search button").click();
}

function firstLink({ link, items }) {
  return link ?? firstLink(items[0]);
}
