import { coded } from "../../errors";
import type { Field, Rule } from "../../fields";
import { flag, wholeNumber } from "../../fields/shapes";

const UNPAID_REPLICA_MEMORY_GB = 120;

const replicaMemory = () => wholeNumber({ min: 8, max: 356, multipleOf: 4 });

/** The scaling arguments that a Service and a ServiceScaling have in common. */
export const scalingFields = (...operations: string[]) =>
  ({
    minReplicaMemoryGb: {
      schema: replicaMemory(),
      doc: "The minimum memory of each replica when autoscaling.",
      unit: "GB",
      onChange: "update",
      operations,
      inResponse: true,
    },
    maxReplicaMemoryGb: {
      schema: replicaMemory(),
      doc: "The maximum memory of each replica when autoscaling. Some regions allow less.",
      unit: "GB",
      onChange: "update",
      operations,
      inResponse: true,
    },
    numReplicas: {
      schema: wholeNumber({ min: 1, max: 20 }),
      doc: "The number of replicas.",
      default: "1 in the BASIC tier and 3 in the SCALE and ENTERPRISE tiers",
      onChange: "update",
      operations,
      inResponse: true,
    },
    idleScaling: {
      schema: flag(),
      doc: "Whether the service may scale to zero while it is idle.",
      default: "true",
      onChange: "update",
      operations,
      inResponse: true,
    },
    idleTimeoutMinutes: {
      schema: wholeNumber({ min: 5 }),
      doc: "How long the service must be without queries before it becomes idle.",
      unit: "minutes",
      onChange: "update",
      operations,
      inResponse: true,
    },
  }) as const satisfies Record<string, Field>;

export const inOrder = (least: string, most: string): Rule => ({
  fields: [least, most],
  doc: `Must not exceed ${most}.`,
  test: (values) =>
    values[least] > values[most]
      ? coded(
          "CDB1009",
          `${least} ${values[least]} is invalid: must not exceed ${most} ${values[most]}; lower ${least} or raise ${most}.`,
        )
      : undefined,
});

export const unpaidAtMost = (field: string, limit: number): Rule => ({
  fields: [field],
  doc: `Must not exceed ${limit} for services that are not paid.`,
  test: (values, { paid }) =>
    paid === false && values[field] > limit
      ? coded(
          "CDB1009",
          `${field} ${values[field]} is invalid: must not exceed ${limit} for services that are not paid; lower it, or set clouddb:paid to true if they are.`,
        )
      : undefined,
});

export const scalingRules: readonly Rule[] = [
  inOrder("minReplicaMemoryGb", "maxReplicaMemoryGb"),
  unpaidAtMost("maxReplicaMemoryGb", UNPAID_REPLICA_MEMORY_GB),
];
