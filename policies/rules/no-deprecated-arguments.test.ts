import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { noDeprecatedArguments } from ".";

describePolicy(noDeprecatedArguments, [
  [
    "names the replacement",
    service({ maxTotalMemoryGb: 48 }),
    ["maxTotalMemoryGb is deprecated. Use maxReplicaMemoryGb."],
  ],
  ["needs no value for that", service({ tier: UNKNOWN }), ["tier is deprecated."]],
]);
