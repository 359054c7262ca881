import { inLanguages } from "./examples.mjs";
import { introduction, section } from "./sections.mjs";

/** The first page of the site: parts of the README, with the smallest program in each language at once. */
export function homePage(readme) {
  const [prose, picture] = introduction(readme).split("\n\n");
  const part = (title) => `## ${title}\n\n${section(readme, `## ${title}`)}\n\n`;
  return [
    `# pulumi-clouddb\n\n${prose}\n\n`,
    inLanguages("service"),
    `[Getting started](docs/getting-started.md) goes from an empty folder to \`pulumi up\`.\n\n${picture}\n\n`,
    part("What you can rely on"),
    part("Try it"),
    part("Other languages and `pulumi import`"),
  ].join("");
}
