#!/usr/bin/env bash
# Pulumi 3.276.0, SDK for Node.js 3.276.0, resource hooks
# Behavior: hooks around a deletion run although nothing is deleted. A resource with
# `retainOnDelete: true` that leaves the program runs its hook before the deletion, which may drain
# or back up the object, and the provider gets no request. If the hook leaves the program together
# with the resource, the removal fails, although it would only change the state.
# Output seen:
#   error: hook "drain" was not registered
#   runs of the hook once it is back: 1
#   requests: none
. "$(dirname "$0")/lib.sh"

engine
hook='const { appendFileSync } = require("node:fs");
const drain = new pulumi.ResourceHook("drain", () => appendFileSync("hooks", "ran\n"));'
program <<JS
$hook
new Thing("a", { size: 1 }, { retainOnDelete: true, hooks: { beforeDelete: [drain] } });
JS
up >&2
requests >&2
program </dev/null
ends 1 up
contains "$output" 'error: hook "drain" was not registered'
program <<<"$hook"
ends 0 up
contains "$output" "- 1 deleted"
equals "$(cat hooks)" "ran"
equals "$(requests)" ""
