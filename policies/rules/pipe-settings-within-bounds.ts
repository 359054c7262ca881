import { leavesOf, resources } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { againstSettings } from "../policy/bounds";
import { createPolicy } from "../policy/policy";

const NUMBER = "use a number";
const bounds = z
  .strictObject({ min: z.number(NUMBER).optional(), max: z.number(NUMBER).optional() })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, "min is more than max");

/** The numbers among a pipe's settings. */
const names = leavesOf(resources.Pipe?.definition.fields ?? {})
  .filter(({ path, field }) => path[0] === "settings" && field.schema.safeParse(1).success)
  .map(({ path }) => path[1] ?? "");

export const pipeSettingsWithinBounds = createPolicy({
  name: "pipe-settings-within-bounds",
  level: "mandatory",
  description: "The settings of pipes are within the bounds that are given for them.",
  reason: "The API takes any number. What a setting does to a warehouse is known to those who run it.",
  settings: z.strictObject(
    Object.fromEntries(names.map((name) => [name, bounds.optional().describe(`min and max of ${name}`)])),
  ),
  kinds: ["Pipe"],
  judge(subject, { values }, findings) {
    for (const [name, bound] of Object.entries(values)) {
      if (bound === undefined) continue;
      const settings = { values: bound, origin: (key: string) => `the setting ${name}.${key}` };
      againstSettings(subject, `settings.${name}`, settings, ["min", "max"], findings);
    }
  },
  good: {
    settings: { streamingMaxInsertWaitMs: { min: 1000 } },
    resources: [{ kind: "Pipe", name: "orders", args: { settings: { streamingMaxInsertWaitMs: 5000 } } }],
  },
  bad: {
    settings: { streamingMaxInsertWaitMs: { min: 1000 } },
    resources: [{ kind: "Pipe", name: "orders", args: { settings: { streamingMaxInsertWaitMs: 100 } } }],
  },
});
