import { idField, organizationField } from "../../core/object/ids";
import { defineResource } from "../../core/object/resource";
import { coded } from "../../errors";
import { type Field, flag, type Rule, settable, wholeNumber } from "../../fields";

const UNPAID_REPLICA_MEMORY_GB = 120;

const replicaMemory = wholeNumber({ min: 8, max: 356, multipleOf: 4 });

/** The scaling arguments of both Service and ServiceScaling. */
export const scalingFields = <Operation extends string>(...operations: Operation[]) => {
  const field = settable(...operations);
  return {
    minReplicaMemoryGb: field(
      replicaMemory,
      "The minimum memory of each replica when autoscaling.",
      { unit: "GB", irreversible: "whenLowered" },
    ),
    maxReplicaMemoryGb: field(
      replicaMemory,
      "The maximum memory of each replica when autoscaling. Some regions allow less.",
      { unit: "GB", irreversible: "whenLowered" },
    ),
    numReplicas: field(wholeNumber({ min: 1, max: 20 }), "The number of replicas.", {
      irreversible: "whenLowered",
      default: "1 in the BASIC tier and 3 in the SCALE and ENTERPRISE tiers",
    }),
    idleScaling: field(flag(), "Whether the service may scale to zero while it is idle.", {
      default: "true",
    }),
    idleTimeoutMinutes: field(
      wholeNumber({ min: 5 }),
      "How long the service must be without queries before it becomes idle.",
      { unit: "minutes" },
    ),
  } satisfies Record<string, Field>;
};

export function inOrder(least: string, most: string): Rule {
  return {
    fields: [least, most],
    description: `Must not exceed ${most}.`,
    test: (values, _, named) =>
      values[least] > values[most] &&
      coded(
        "CDB1009",
        `${named(least)} is invalid: must not exceed ${named(most)};`,
        `lower ${least} or raise ${most}.`,
      ),
  };
}

export function unpaidAtMost(field: string, limit: number): Rule {
  return {
    fields: [field],
    description: `Must not exceed ${limit} for services that are not paid.`,
    test: (values, { paid }, named) =>
      paid === false &&
      values[field] > limit &&
      coded(
        "CDB1009",
        `${named(field)} is invalid: must not exceed ${limit} for services that are not paid;`,
        "lower it, or set clouddb:paid to true if they are.",
      ),
  };
}

export const scalingRules: readonly Rule[] = [
  inOrder("minReplicaMemoryGb", "maxReplicaMemoryGb"),
  unpaidAtMost("maxReplicaMemoryGb", UNPAID_REPLICA_MEMORY_GB),
];

export const serviceScaling = defineResource({
  title: "scaling of service",
  description: [
    "The scaling of an existing service, for a program that manages a service's size and nothing else. The first `pulumi up` adopts the service's current scaling and changes only what differs from the arguments. Destroying the resource removes it from the stack and changes nothing else.",
    "Do not use it for a `Service` that declares scaling arguments. Its id is the service's id.",
  ],
  id: "serviceId",
  fields: {
    organizationId: organizationField("The ID of the organization that owns the service."),
    serviceId: idField("The ID of the service to scale."),
    ...scalingFields("scaleService"),
  },
  outputs: {},
  rules: scalingRules,
  read: "getService",
  updates: ["scaleService"],
});
