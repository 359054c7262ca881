// The program of every stack: its resources are data, so that a step needs no other program.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const pulumi = require("@pulumi/pulumi");

module.exports = (clouddb) => {
  const text = readFileSync(join(process.cwd(), `${pulumi.getStack()}.json`), "utf8");
  let last;
  for (const { name, type, args, alias, transformed, ...options } of JSON.parse(text)) {
    const transform = ({ props, opts }) => ({ props: { ...props, ...transformed }, opts });
    last = new clouddb[type](name, args, {
      ...options,
      ...(last && { dependsOn: last }),
      ...(alias && { aliases: [{ name: alias }] }),
      ...(transformed && { transformations: [transform] }),
    });
  }
};
