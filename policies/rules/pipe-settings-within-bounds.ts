import { fieldPathsOf, resources } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { checkBounds } from "../policy/bounds";
import { createPolicy } from "../policy/policy";

const PIPE = { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001" };
const NUMBER = "must be a number";
const bounds = z
  .strictObject({ min: z.number(NUMBER).optional(), max: z.number(NUMBER).optional() }, "use an object of min and max")
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, "min is more than max");

/** The numeric settings of a pipe. */
const names = fieldPathsOf(resources.Pipe?.definition.fields ?? {})
  .filter(({ path, field }) => path[0] === "settings" && field.schema.safeParse(1).success)
  .map(({ path }) => path[1] ?? "");

export const pipeSettingsWithinBounds = createPolicy({
  name: "pipe-settings-within-bounds",
  level: "mandatory",
  description: "The settings of pipes are within the configured bounds.",
  reason: "The API accepts any number, but only some values suit the warehouse that a pipe writes to.",
  settings: z.strictObject(
    Object.fromEntries(names.map((name) => [name, bounds.optional().describe(`The min and max of ${name}.`)])),
  ),
  resourceTypes: ["Pipe"],
  evaluate(resource, { values }, context) {
    for (const [name, bound] of Object.entries(values)) {
      if (bound === undefined) continue;
      const settings = { values: bound, origin: (key: string) => `the setting ${name}.${key}` };
      const label = `settings.${name}`;
      const value = context.readKnown(resource, label);
      checkBounds(context, resource, { label, paths: [label], value, settings, min: "min", max: "max" });
    }
  },
  evaluatesOutputs: true,
  good: {
    settings: { streamingMaxInsertWaitMs: { min: 1000 } },
    resources: [{ type: "Pipe", name: "orders", args: { ...PIPE, settings: { streamingMaxInsertWaitMs: 5000 } } }],
  },
  bad: {
    settings: { streamingMaxInsertWaitMs: { min: 1000 } },
    resources: [{ type: "Pipe", name: "orders", args: { ...PIPE, settings: { streamingMaxInsertWaitMs: 100 } } }],
  },
});
