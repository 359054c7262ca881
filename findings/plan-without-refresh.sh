#!/usr/bin/env bash
# Pulumi 3.276.0, update plans
# Behavior: a plan is an upper bound, not an order. `preview --refresh --save-plan` finds drift and
# plans its repair ("1 to update"), but `up --plan` without `--refresh` finds stored and declared
# values equal: it sends nothing, reports 2 unchanged and exits with 0, without a word about the
# update that the plan contains. With `--refresh` on both commands, the drift is repaired.
# Output seen:
#   ~ 1 to update
#   2 unchanged
#   ~ 1 updated
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
new Thing("a", { size: 1 });
JS
up >&2
echo '{"size":2}' >objects/a-1.json
requests >&2

ends 0 pulumi preview --refresh --save-plan plan.json
contains "$output" "~ 1 to update"
requests >&2
ends 0 up --plan plan.json
contains "$output" "2 unchanged"
equals "$(requests)" "diff:a-1"
ends 0 up --refresh --plan plan.json
contains "$output" "~ 1 updated"
