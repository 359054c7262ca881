import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { PRODUCTION, productionStacks } from "../policy/production";
import { matchesStack } from "../policy/settings";

export const productionIsProtected = createPolicy({
  name: "production-is-protected",
  level: "advisory",
  description: "Services of production stacks are protected.",
  reason: "Protection is what keeps a database from being left behind by a destroy, a rename or a replacement.",
  settings: z.strictObject({ stacks: productionStacks }),
  kinds: ["Service"],
  judge(subject, { values }, findings) {
    if (subject.isProtected || !matchesStack(values.stacks, subject.stack)) return;
    findings.violation(
      subject,
      "it is not protected: the program sets protect: false or retainOnDelete; take that out, unless the service is to be let go now.",
    );
  },
  good: { stack: PRODUCTION, resources: [{ kind: "Service", name: "analytics", args: {} }] },
  bad: {
    stack: PRODUCTION,
    resources: [{ kind: "Service", name: "analytics", args: {}, options: { protect: false } }],
  },
});
