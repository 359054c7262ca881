import { z } from "zod";
import { exemption } from "../policy/exemptions";
import { createPolicy } from "../policy/policy";

export const exemptions = createPolicy({
  name: "exemptions",
  level: "advisory",
  description: "Exemptions name a resource, a reason and an end.",
  reason: "This policy reports nothing by itself: its setting turns violations of other policies into advisories.",
  settings: z.strictObject({
    list: z
      .array(exemption, "use a list of exemptions")
      .default([])
      .describe(
        "The exemptions, each with `policy`, `resource` (its name in the program), `until` (the last day, in UTC, at most a year ahead) and `reason`.",
      ),
  }),
  resourceTypes: [],
  good: { resources: [] },
  bad: { resources: [] },
});
