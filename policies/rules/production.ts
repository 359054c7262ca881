import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { checkBounds } from "../core/bounds";
import { createPolicy } from "../core/policy";
import { shown } from "../core/resource";
import { matchesStack, stackPatterns } from "../core/settings";
import { service } from "../testing/program";

const { numReplicas, idleTimeoutMinutes } = scalingFields();

const DEFAULT_STACKS = ["*prod*", "*prd*"];
const DEFAULT_OTHER_STACKS = [
  "*dev*",
  "*test*",
  "*stag*",
  "*qa*",
  "*sandbox*",
  "*demo*",
  "*preview*",
  "pr-*",
];

/** The setting that identifies production stacks. */
const productionStacks = stackPatterns
  .default(DEFAULT_STACKS)
  .describe(`The production stacks, in any case; default ${DEFAULT_STACKS.join(", ")}.`);

export const productionIsProtected = createPolicy({
  name: "production-is-protected",
  level: "advisory",
  severity: "high",
  description: "The services of production stacks are protected.",
  reason:
    "Protection prevents a destroy, a rename or a replacement from leaving a service running unmanaged.",
  settings: z.strictObject({ stacks: productionStacks }),
  resourceTypes: ["Service"],
  evaluate(resource, { values }, context) {
    if (resource.isProtected || !matchesStack(values.stacks, resource.stack)) return;
    context.reportViolation(
      resource,
      "it is not protected; set the resource option protect: true, and remove protect: false and retainOnDelete, unless you are about to stop managing the service.",
    );
  },
  good: { stack: "production", resources: [service({})] },
  bad: { stack: "production", resources: [{ ...service({}), options: { protect: false } }] },
});

export const productionIsReplicated = createPolicy({
  name: "production-is-replicated",
  level: "mandatory",
  severity: "high",
  description: "The services of production stacks have enough replicas and do not scale to zero.",
  reason:
    "The failure of a single replica is an outage, and a service that has scaled to zero delays the next query.",
  settings: z.strictObject({
    stacks: productionStacks,
    otherStacks: stackPatterns
      .default(DEFAULT_OTHER_STACKS)
      .describe(
        `The stacks that are not production, in any case; default ${DEFAULT_OTHER_STACKS.join(", ")}. A stack that matches neither list is reported.`,
      ),
    minReplicas: numReplicas.schema
      .default(2)
      .describe("The minimum number of replicas; default 2."),
    allowIdle: z
      .boolean("use true or false")
      .default(false)
      .describe("Allows these services to scale to zero; default false."),
  }),
  resourceTypes: ["Service", "ServiceScaling"],
  evaluate(resource, { values, origin }, context) {
    if (!matchesStack(values.stacks, resource.stack)) return;
    if (values.minReplicas > 1) {
      const reason = `production needs ${values.minReplicas} or more, ${origin("minReplicas")}`;
      const value = context.require(resource, "numReplicas", reason);
      const min = { limit: values.minReplicas, origin: `${origin("minReplicas")} for production` };
      checkBounds(context, resource, { paths: ["numReplicas"], value, min });
    }
    if (values.allowIdle) return;
    const reason = "services scale to zero by default, and production must not";
    const idleScaling = context.require(resource, "idleScaling", reason);
    if (idleScaling === true) {
      const text = `idleScaling ${shown(resource, "idleScaling", idleScaling)}`;
      context.reportViolation(
        resource,
        `${text} lets a production service scale to zero; set it to false.`,
      );
    }
  },
  evaluatesOutputs: true,
  evaluateStack([resource], { values: { stacks, otherStacks } }, context) {
    const stack = resource?.stack ?? "";
    if (matchesStack(stacks, stack) || matchesStack(otherStacks, stack)) return;
    const patterns = [stacks].flat().join(", ");
    context.reportUnchecked(
      undefined,
      `The stack ${stack} is not treated as production: it matches neither the setting stacks (${patterns}) nor otherStacks; add it to one of them`,
    );
  },
  good: { stack: "production", resources: [service({ numReplicas: 3, idleScaling: false })] },
  bad: {
    stack: "production",
    settings: { minReplicas: 3 },
    resources: [
      service({ numReplicas: 2, idleScaling: true }),
      service({ idleScaling: false }, "reports"),
    ],
  },
});

const DEFAULT_MINUTES = 60;

export const idleSavesMoney = createPolicy({
  name: "idle-saves-money",
  level: "advisory",
  severity: "low",
  description: "Services outside production scale to zero while they are idle.",
  reason: "A service that nobody uses costs as much as a busy one until it scales to zero.",
  settings: z.strictObject({
    stacks: productionStacks,
    maxIdleTimeoutMinutes: idleTimeoutMinutes.schema
      .optional()
      .describe(
        `The maximum idle timeout, in minutes; default ${DEFAULT_MINUTES}. Where it is set, new services must declare idleTimeoutMinutes.`,
      ),
  }),
  resourceTypes: ["Service", "ServiceScaling"],
  evaluate(resource, { values, origin }, context) {
    if (matchesStack(values.stacks, resource.stack)) return;
    const idleScaling = context.read(resource, "idleScaling");
    if (idleScaling === false) {
      const text = `idleScaling ${shown(resource, "idleScaling", idleScaling)}`;
      context.reportViolation(
        resource,
        `${text} keeps it running while nobody uses it; set it to true outside production.`,
      );
    }
    const path = "idleTimeoutMinutes";
    const max = {
      limit: values.maxIdleTimeoutMinutes ?? DEFAULT_MINUTES,
      origin: origin("maxIdleTimeoutMinutes"),
    };
    const isSet = values.maxIdleTimeoutMinutes !== undefined;
    const value = isSet
      ? context.require(resource, path, `${max.origin} limits it`)
      : context.read(resource, path);
    checkBounds(context, resource, { paths: [path], value, max });
  },
  evaluatesOutputs: true,
  good: { stack: "dev", resources: [service({ idleTimeoutMinutes: 15 })] },
  bad: {
    stack: "dev",
    resources: [service({ idleScaling: false }), service({ idleTimeoutMinutes: 240 }, "reports")],
  },
});
