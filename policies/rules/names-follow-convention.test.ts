import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { namesFollowConvention } from ".";

describePolicy(namesFollowConvention, [
  [
    "matches the whole name",
    service({ name: "a sales team" }, { settings: { pattern: "sales|data" } }),
    ["does not match"],
  ],
  [
    "supports a convention by stack",
    service({ name: "x" }, { settings: { byStack: { dev: { pattern: "dev .+" } } } }),
    ["the setting pattern for stacks dev"],
  ],
  [
    "does not check an unknown name",
    service({ name: UNKNOWN }, { settings: { pattern: "x" } }),
    [],
    ["name is not known yet"],
  ],
  [
    "checks a pipe",
    { settings: { pattern: "x" }, resources: [{ type: "Pipe", name: "orders", args: { name: "y" } }] },
    ['Pipe "orders": the name "y"'],
  ],
  [
    "checks the name of an adopted service",
    {
      settings: { pattern: "x" },
      resources: [{ type: "Service", name: "a", args: { existingServiceId: "a" }, outputs: { name: "y" } }],
    },
    ['the name "y" does not match x'],
  ],
]);
