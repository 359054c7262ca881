import { siteAddress } from "../../tools/docs/links";

/** The icon of a page, its address, and what other sites show beside a link to it. */
export function headOf({ page, pageData, siteData, description }) {
  const icon = ["link", { rel: "icon", type: "image/svg+xml", href: `${siteData.base}icon.svg` }];
  if (pageData.isNotFound) return [icon];
  const url = new URL(page.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1"), siteAddress).href;
  const properties = { type: "website", site_name: siteData.title, title: pageData.title, description, url };
  const tags = Object.entries(properties).map(([name, content]) => ["meta", { property: `og:${name}`, content }]);
  return [icon, ["link", { rel: "canonical", href: url }], ...tags];
}
