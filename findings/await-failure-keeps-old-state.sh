#!/usr/bin/env bash
# Pulumi 3.276.0, provider protocol: ErrorResourceAwaitFailed
# Behavior: a provider can report that it sent a request but the object did not become ready. The
# update ends with exit code 10. After an update, the state keeps the old arguments although the
# object has the new ones, and the next update sends them again. After a creation, nothing is
# stored, since the error carries no ID: the next update creates a second object.
# Output seen:
#   1 awaiting
#   requests of two updates that create: create:a-1, create:a-2
#   requests of two updates that change size: diff:a-2 update:a-2, diff:a-2 update:a-2
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
new Thing("a", { size: 1 });
JS
echo awaiting >fault
ends 10 up
contains "$output" "1 awaiting"
equals "$(requests)" "create:a-1"
ends 0 up
equals "$(requests)" "create:a-2"

program <<'JS'
new Thing("a", { size: 2 });
JS
echo awaiting >fault
ends 10 up
contains "$(cat objects/a-2.json)" '"size":2'
equals "$(requests)" "diff:a-2 update:a-2"
ends 0 up
equals "$(requests)" "diff:a-2 update:a-2"
