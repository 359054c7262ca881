// The package names itself, so that this holds in the sources and in what is published.
const { name, version } = require("pulumi-clouddb/package.json") as { name: string; version: string };

export const userAgent = `${name}/${version}`;
