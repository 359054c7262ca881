// The program of every stack: its resources are data, so that a step needs no other program.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const pulumi = require("@pulumi/pulumi");

module.exports = (clouddb) => {
  const text = readFileSync(join(process.cwd(), `${pulumi.getStack()}.json`), "utf8");
  const { isChained, resources } = JSON.parse(text);
  let last;
  for (const { name, type, args, alias, transformed, ...options } of resources) {
    const transform = ({ props, opts }) => ({ props: { ...props, ...transformed }, opts });
    last = new clouddb[type](name, args, {
      ...options,
      ...(isChained && last && { dependsOn: last }),
      ...(alias && { aliases: [{ name: alias }] }),
      ...(transformed && { transformations: [transform] }),
    });
  }
};
