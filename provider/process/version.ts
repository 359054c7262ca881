// By the package's own name, so that it resolves both in the sources and in the published package.
const { name, version, repository } = require("pulumi-clouddb/package.json") as {
  name: string;
  version: string;
  repository: { url: string };
};

export { version };

/** Where Pulumi finds the plugin of a release. Without it, it looks for one of its own. */
export const pluginDownloadURL = repository.url.replace(/^.*github\.com\/(.*)\.git$/, "github://api.github.com/$1");

export const userAgent = `${name}/${version}`;
