import { UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import type { Settings } from "../policy/settings";
import type { Subject } from "../policy/subject";

function judge(subject: Subject, _settings: Settings<object>, findings: Findings): void {
  const list = findings.read(subject, "ipAccessList");
  const bare = (Array.isArray(list) ? list : []).filter((entry) => entry !== UNKNOWN && !entry?.description);
  if (bare.length === 0) return;
  const sources = bare
    .slice(0, MOST_NAMED)
    .map(({ source }) => (source === UNKNOWN ? "one that is not known yet" : source));
  const more = bare.length > MOST_NAMED ? ` and ${bare.length - MOST_NAMED} more` : "";
  findings.violation(subject, `ipAccessList has no description for ${sources.join(", ")}${more}; say whose it is.`);
}

const MOST_NAMED = 10;

export const accessEntriesDescribed = createPolicy({
  name: "access-entries-described",
  level: "advisory",
  description: "Every entry of an access list says whose it is.",
  reason: "Nobody dares to remove an address that nobody remembers.",
  settings: z.strictObject({}),
  kinds: ["Service"],
  judge,
  judgeUndeclared: judge,
  good: {
    resources: [
      {
        kind: "Service",
        name: "analytics",
        args: { ipAccessList: [{ source: "203.0.113.0/24", description: "office" }] },
      },
    ],
  },
  bad: { resources: [{ kind: "Service", name: "analytics", args: { ipAccessList: [{ source: "203.0.113.0/24" }] } }] },
});
