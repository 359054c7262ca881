import { fieldPathsOf, resources } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { againstSettings } from "../policy/bounds";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import type { Settings } from "../policy/settings";
import type { Subject } from "../policy/subject";

const NUMBER = "use a number";
const bounds = z
  .strictObject({ min: z.number(NUMBER).optional(), max: z.number(NUMBER).optional() })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, "min is more than max");

/** The numbers among a pipe's settings. */
const names = fieldPathsOf(resources.Pipe?.definition.fields ?? {})
  .filter(({ path, field }) => path[0] === "settings" && field.schema.safeParse(1).success)
  .map(({ path }) => path[1] ?? "");

const schema = z.strictObject(
  Object.fromEntries(names.map((name) => [name, bounds.optional().describe(`min and max of ${name}`)])),
);

function judge(subject: Subject, { values }: Settings<z.output<typeof schema>>, findings: Findings): void {
  for (const [name, bound] of Object.entries(values)) {
    if (bound === undefined) continue;
    const settings = { values: bound, origin: (key: string) => `the setting ${name}.${key}` };
    const place = `settings.${name}`;
    againstSettings(subject, place, findings.known(subject, place), settings, ["min", "max"], findings);
  }
}

export const pipeSettingsWithinBounds = createPolicy({
  name: "pipe-settings-within-bounds",
  level: "mandatory",
  description: "The settings of pipes are within the bounds that are given for them.",
  reason: "The API takes any number. What a setting does to a warehouse is known to those who run it.",
  settings: schema,
  kinds: ["Pipe"],
  judge,
  judgeUndeclared: judge,
  good: {
    settings: { streamingMaxInsertWaitMs: { min: 1000 } },
    resources: [{ kind: "Pipe", name: "orders", args: { settings: { streamingMaxInsertWaitMs: 5000 } } }],
  },
  bad: {
    settings: { streamingMaxInsertWaitMs: { min: 1000 } },
    resources: [{ kind: "Pipe", name: "orders", args: { settings: { streamingMaxInsertWaitMs: 100 } } }],
  },
});
