#!/usr/bin/env bash
# Pulumi 3.276.0, `pulumi up --expect-no-changes`
# Behavior: the option does not hold back changes: the update applies all of them, then ends with
# exit code 7 and says that they "were proposed". A changed stack output is not a change: the update
# stores the new value and ends with 0, and stacks that refer to the output get another value after
# a command that reports no change.
# Output seen:
#   + 1 created
#   error: no changes were expected for update but changes were proposed
#   ~ value: "one" => "two" (exit code 0)
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
exports.value = "one";
JS
up >&2
program <<'JS'
new Thing("a", { size: 1 });
exports.value = "one";
JS
ends 7 up --expect-no-changes
contains "$output" "no changes were expected for update but changes were proposed"
equals "$(requests)" "create:a-1"

program <<'JS'
new Thing("a", { size: 1 });
exports.value = "two";
JS
ends 0 up --expect-no-changes
contains "$output" '~ value: "one" => "two"'
equals "$(pulumi stack output value)" two
