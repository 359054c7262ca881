import { describePolicy, type Program } from "../../tests/support/policy";
import { productionIsProtected } from ".";

const unprotected = (stack: string, settings: Readonly<Record<string, unknown>> = {}): Program => ({
  stack,
  settings,
  resources: [{ type: "Service", name: "analytics", args: {}, options: { protect: false } }],
});

describePolicy(productionIsProtected, [
  ["is about stacks that begin with prod", unprotected("prod-eu"), ["it is not protected"]],
  ["in any case", unprotected("Production"), ["it is not protected"]],
  ["or end with it", unprotected("eu-prod"), ["it is not protected"]],
  ["or are written in capitals", unprotected("PROD-eu"), ["it is not protected"]],
  ["or shortened", unprotected("eu-prd-1"), ["it is not protected"]],
  ["not about others", unprotected("dev"), []],
  ["takes other names of stacks", unprotected("live", { stacks: ["live", "main"] }), ["it is not protected"]],
  ["takes one name", unprotected("live-2", { stacks: "live-*" }), ["it is not protected"]],
]);
