#!/usr/bin/env bash
# Pulumi 3.276.0, SDK for Node.js 3.276.0, resource hooks
# Behavior: a hook after a creation that throws ends the update with an error, but the resource is
# stored as created. Dependent resources are not created in this update. Later updates find the
# resource unchanged and create its dependents, and none of them runs the hook again, even once the
# cause is fixed: one failure loses the work that was to follow the creation.
# Output seen:
#   error: after hook "register" failed: the hook is broken
#   requests of the next update: diff:a-1 create:b-2
#   runs of the hook after both updates: 1
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
const { appendFileSync, existsSync } = require("node:fs");
const hook = new pulumi.ResourceHook("register", () => {
  appendFileSync("hooks", "ran\n");
  if (existsSync("broken")) throw new Error("the hook is broken");
});
const a = new Thing("a", { size: 1 }, { hooks: { afterCreate: [hook] } });
new Thing("b", { size: a.id.apply((id) => id.length) });
JS
touch broken
ends 1 up
contains "$output" 'error: after hook "register" failed: the hook is broken'
equals "$(requests)" "create:a-1"

rm broken
ends 0 up
equals "$(requests)" "diff:a-1 create:b-2"
equals "$(cat hooks)" "ran"
