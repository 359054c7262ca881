// By the package's own name, so that it resolves both in the sources and in the published package.
const { name, version } = require("pulumi-clouddb/package.json") as { name: string; version: string };

export { version };

export const userAgent = `${name}/${version}`;
