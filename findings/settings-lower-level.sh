#!/usr/bin/env bash
# @pulumi/policy 1.21.0, Pulumi 3.276.0
# Behavior: settings that the code of a policy pack gives to a mandatory policy make it advisory.
# `new PolicyPack(name, { policies }, { bounded: { max: 1 } })` names no level, so the level should
# stay. The SDK sends these settings with the number of a level in any case, and the number that
# stands for no level is that of advisory: the engine takes it for the pack's wish. A preview with a
# violation then succeeds. The same settings from --policy-pack-config leave the policy mandatory.
# Each object of settings in code needs its enforcementLevel.
# Output seen:
#   in code: exit code 0, [advisory]  bounded
#   in a file: exit code 1, [mandatory]  bounded
. "$(dirname "$0")/lib.sh"

engine @pulumi/policy@1.21.0
program <<'JS'
exports.answer = 1;
JS
# Runs policy packs, too.
rm plugins/pulumi-language-nodejs
mkdir code file
for pack in code file; do
  echo '{ "version": "1.0.0" }' >$pack/package.json
  printf 'runtime: nodejs\nmain: index.js\n' >$pack/PulumiPolicy.yaml
  cat >$pack/index.js <<'JS'
const { PolicyPack } = require("@pulumi/policy");
const bounded = {
  name: "bounded",
  description: "A value is bounded.",
  enforcementLevel: "mandatory",
  configSchema: { properties: { max: { type: "number" } } },
  validateStack: (_, report) => report("The value is not bounded."),
};
new PolicyPack("pack", { policies: [bounded] }, SETTINGS);
JS
done
sed -i 's/SETTINGS/{ bounded: { max: 1 } }/' code/index.js
sed -i 's/, SETTINGS//' file/index.js
echo '{ "bounded": { "max": 1 } }' >settings.json

ends 0 pulumi preview --policy-pack code
contains "$output" "[advisory]"
ends 1 pulumi preview --policy-pack file --policy-pack-config settings.json
contains "$output" "[mandatory]"
