#!/usr/bin/env bash
# Pulumi 3.276.0, @pulumi/policy 1.21.0, remediations
# Behavior: a remediation that returns a copy of the arguments, `{ ...props, size: 2 }`, takes the
# marks off their secrets: a secret argument is stored in clear in the state, while a secret inside
# an object that is copied whole stays encrypted. Changing `props` itself and returning it keeps
# all marks. Neither form gives a warning, and the update looks the same.
# Output seen:
#   copy: key "example", password encrypted
#   same: key encrypted, password encrypted
. "$(dirname "$0")/lib.sh"

engine @pulumi/policy@1.21.0
program <<'JS'
for (const name of ["copy", "same"]) {
  const key = pulumi.secret("example");
  new Thing(name, { size: 1, key, settings: { password: key } });
}
JS
mkdir pack
echo 'runtime: nodejs' >pack/PulumiPolicy.yaml
echo '{ "name": "pack", "version": "1.0.0", "main": "index.js" }' >pack/package.json
cat >pack/index.js <<'JS'
const { PolicyPack } = require("@pulumi/policy");

function remediateResource({ name, type, props }) {
  if (type !== "thing:index:Thing") return;
  if (name === "copy") return { ...props, size: 2 };
  props.size = 2;
  return props;
}
new PolicyPack("pack", {
  policies: [
    { name: "size", description: "Size 2", enforcementLevel: "remediate", remediateResource },
  ],
});
JS
cat >plugins/pack <<'SH'
#!/bin/sh
cd "$THINGS/pack" && exec node ../node_modules/@pulumi/pulumi/cmd/run-policy-pack "$@" .
SH
chmod +x plugins/pack
cat >marks.js <<'JS'
const { resources } = JSON.parse(require("node:fs").readFileSync("state.json", "utf8")).deployment;
const shown = (value) => (value.ciphertext === undefined ? JSON.stringify(value) : "encrypted");
for (const name of ["copy", "same"]) {
  const { key, settings } = resources.find(({ urn }) => urn.endsWith(`::${name}`)).inputs;
  console.log(`${name}: key ${shown(key)}, password ${shown(settings.password)}`);
}
JS

ends 0 up --policy-pack plugins/pack
pulumi stack export --file state.json
equals "$(node marks.js)" 'copy: key "example", password encrypted
same: key encrypted, password encrypted'
