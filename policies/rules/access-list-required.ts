import { UNKNOWN, valueAt } from "pulumi-clouddb/definitions";
import { z } from "zod";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import type { Settings } from "../policy/settings";
import type { Subject } from "../policy/subject";

const LISTS = ["ipAccessList", "privateEndpointIds"];

function judge(subject: Subject, _settings: Settings<object>, findings: Findings): void {
  // What exists already has lists that the program does not show.
  const isForOutputs = !subject.isCreated && LISTS.some((name) => valueAt(subject.inputs, [name]) === undefined);
  if (isForOutputs !== (subject.stage === "undeclared")) return;
  const lists = LISTS.map((name) => valueAt(subject.inputs, [name]) ?? findings.known(subject, name));
  const isUnknown = lists.some((list) => list === UNKNOWN || (isForOutputs && list === undefined));
  if (isUnknown || lists.some((list) => Array.isArray(list) && list.length > 0)) {
    for (const name of LISTS) findings.read(subject, name);
    return;
  }
  findings.violation(
    subject,
    "it has no entry in ipAccessList and no privateEndpointIds, so nobody can reach it; declare who may.",
  );
}

export const accessListRequired = createPolicy({
  name: "access-list-required",
  level: "advisory",
  description: "A service lets somebody in: it has an access list or private endpoints.",
  reason:
    "A service that nobody can reach costs money and serves nobody; access that is clicked together later is not in the program.",
  settings: z.strictObject({}),
  kinds: ["Service"],
  judge,
  judgeUndeclared: judge,
  good: { resources: [{ kind: "Service", name: "analytics", args: { ipAccessList: [{ source: "203.0.113.0/24" }] } }] },
  bad: { resources: [{ kind: "Service", name: "analytics", args: { numReplicas: 3 } }] },
});
