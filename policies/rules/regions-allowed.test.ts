import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { regionsAllowed } from ".";

const settings = { allowed: ["aws/eu-*", "gcp/europe-west4"] };

describePolicy(regionsAllowed, [
  [
    "checks provider and region together",
    service({ provider: "gcp", region: "eu-central-1" }, { settings }),
    ["is in gcp/eu-central-1; choose one of aws/eu-*, gcp/europe-west4, the setting allowed"],
  ],
  ["wants both declared", service({ provider: "aws" }, { settings }), ["does not declare both"]],
  [
    "supports other regions by stack",
    service(
      { provider: "aws", region: "us-east-1" },
      { settings: { ...settings, byStack: { dev: { allowed: ["aws/us-*"] } } } },
    ),
    [],
  ],
  [
    "does not check if one is unknown",
    service({ provider: "aws", region: UNKNOWN }, { settings }),
    [],
    ["region is not known yet"],
  ],
  [
    "requires both of an adopted service, since the API does not return them",
    service({ existingServiceId: "a" }, { settings }),
    ["does not declare both provider and region, which the API does not return; choose one of"],
  ],
  [
    "checks the declared arguments of an adopted service",
    service({ existingServiceId: "a", provider: "aws", region: "us-east-1" }, { settings }),
    ["is in aws/us-east-1"],
  ],
  [
    "decides by the known half",
    service({ provider: "azure", region: UNKNOWN }, { settings }),
    ["is in azure/?"],
    ["region is not known yet"],
  ],
  [
    "allows every region for stacks without a list",
    service(
      { provider: "aws", region: "us-east-1" },
      { settings: { byStack: { "prod*": { allowed: ["aws/eu-*"] } } } },
    ),
    [],
  ],
]);
