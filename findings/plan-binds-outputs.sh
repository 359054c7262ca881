#!/usr/bin/env bash
# Pulumi 3.276.0, update plans
# Behavior: a plan binds the outputs of the stack as well as its resources. An output that differs
# in each run, such as a time or a random text, ends `up --plan` with exit code 1 although every
# resource is as planned. The command prints no error: `up` stops after a preview that looks right,
# and `up --skip-preview` reports a success after it has created everything.
# Output seen:
#   Resources:
#       + 2 created
#   (exit code 1, no error)
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
new Thing("a", { size: 1 });
exports.now = process.hrtime.bigint().toString();
JS
ends 0 pulumi preview --save-plan plan.json
ends 1 pulumi up --yes --plan plan.json
contains "$output" "+ 2 to create"
equals "$(grep -c error <<<"$output")" 0
equals "$(requests)" ""
ends 1 up --plan plan.json
contains "$output" "+ 2 created"
equals "$(grep -c error <<<"$output")" 0
equals "$(requests)" "create:a-1"
