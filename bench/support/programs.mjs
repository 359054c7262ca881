/*
 * One program in four variants. Services cannot be deleted, so all of them are retained: destroy empties the stack
 * without calling a provider.
 */

const ARGS = `{
  provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
}`;

export function services(size, entry = "pulumi-clouddb", args = ARGS) {
  return `const clouddb = require("${entry}");
for (let number = 0; number < ${size}; number += 1) {
  new clouddb.Service("service" + number, ${args}, { retainOnDelete: true });
}`;
}

/** A program of as many services for the native plugin, and one that changes all of them. */
export const nativeServices = (size) => services(size, "pulumi-clouddb/native");
export const changedServices = (size) =>
  services(size, "pulumi-clouddb/native", ARGS.replace("numReplicas: 3", "numReplicas: 4"));

/**
 * As https://www.pulumi.com/docs/iac/concepts/providers/dynamic-providers/ shows it. Its handlers send no
 * requests; the response of an API is in a file next to the program.
 */
export function closure(size) {
  return `const pulumi = require("@pulumi/pulumi");
const serviceProvider = {
  async check(olds, news) {
    return { inputs: news, failures: [] };
  },
  async diff(id, olds, news) {
    return { changes: olds.numReplicas !== news.numReplicas };
  },
  async create(inputs) {
    const id = require("node:crypto").randomUUID();
    return { id, outs: { ...inputs, ...require(process.cwd() + "/response.json"), password: id } };
  },
  async read(id, props) {
    return { id, props };
  },
  async update(id, olds, news) {
    return { outs: { ...olds, ...news } };
  },
  async delete(id, props) {},
};
class Service extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    super(serviceProvider, name, { password: undefined, ...args, name }, { ...opts, additionalSecretOutputs: ["password"] });
  }
}
for (let number = 0; number < ${size}; number += 1) {
  new Service("service" + number, ${ARGS}, { retainOnDelete: true });
}`;
}

export function components(size) {
  return `const pulumi = require("@pulumi/pulumi");
for (let number = 0; number < ${size}; number += 1) {
  new pulumi.ComponentResource("bench:index:Empty", "service" + number, {}, { retainOnDelete: true });
}`;
}
