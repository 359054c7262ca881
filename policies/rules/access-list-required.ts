import { UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";

export const accessListRequired = createPolicy({
  name: "access-list-required",
  level: "advisory",
  description: "A service lets somebody in: it has an access list or private endpoints.",
  reason:
    "A service that nobody can reach costs money and serves nobody; access that is clicked together later is not in the program.",
  settings: z.strictObject({}),
  kinds: ["Service"],
  judge(subject, _settings, findings) {
    const lists = ["ipAccessList", "privateEndpointIds"].map((name) => findings.read(subject, name));
    const isElsewhere = subject.inputs.existingServiceId !== undefined && lists.every((list) => list === undefined);
    const isUnknown = ["ipAccessList", "privateEndpointIds"].some((name) => subject.inputs[name] === UNKNOWN);
    if (isElsewhere || isUnknown || lists.some((list) => Array.isArray(list) && list.length > 0)) return;
    findings.violation(
      subject,
      "it has no entry in ipAccessList and no privateEndpointIds, so nobody can reach it; declare who may.",
    );
  },
  good: { resources: [{ kind: "Service", name: "analytics", args: { ipAccessList: [{ source: "203.0.113.0/24" }] } }] },
  bad: { resources: [{ kind: "Service", name: "analytics", args: { numReplicas: 3 } }] },
});
