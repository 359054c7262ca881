import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { regionsAllowed } from "./regions-allowed";

const settings = { allowed: ["aws/eu-*", "gcp/europe-west4"] };

describePolicy(regionsAllowed, [
  [
    "takes provider and region together",
    service({ provider: "gcp", region: "eu-central-1" }, { settings }),
    ["is in gcp/eu-central-1; choose one of aws/eu-*, gcp/europe-west4, the setting allowed"],
  ],
  ["wants both declared", service({ provider: "aws" }, { settings }), ["does not declare both"]],
  [
    "has other places by stack",
    service(
      { provider: "aws", region: "us-east-1" },
      { settings: { ...settings, byStack: { dev: { allowed: ["aws/us-*"] } } } },
    ),
    [],
  ],
  [
    "cannot tell where one is unknown",
    service({ provider: "aws", region: UNKNOWN }, { settings }),
    [],
    ["region is not known yet"],
  ],
  [
    "wants both of an adopted service, since nothing shows them",
    service({ existingServiceId: "a" }, { settings }),
    ["does not declare both provider and region, which the API does not return; choose one of"],
  ],
  [
    "checks a service that is taken over by what it declares",
    service({ existingServiceId: "a", provider: "aws", region: "us-east-1" }, { settings }),
    ["is in aws/us-east-1"],
  ],
  [
    "decides by the half that is known",
    service({ provider: "azure", region: UNKNOWN }, { settings }),
    ["is in azure/?"],
    ["region is not known yet"],
  ],
  [
    "leaves stacks free that have no places",
    service(
      { provider: "aws", region: "us-east-1" },
      { settings: { byStack: { "prod*": { allowed: ["aws/eu-*"] } } } },
    ),
    [],
  ],
]);
