#!/usr/bin/env bash
# Pulumi 3.276.0, resource option `retainOnDelete`
# Behavior: what happens to the old object of a replacement is decided by the option that the state
# holds, not by that of the program. `retainOnDelete: true` in the same update as a change that
# requires replacement comes too late: the old object is deleted. The new one is retained.
# Taking the option away in the same update comes too late as well, and leaves the old one behind.
# Output seen:
#   requests with the option in the same update: diff:a-1 create:a-2 delete:a-1
#   requests without it again: diff:a-2 create:a-3
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
new Thing("a", { region: "one" });
JS
up >&2
requests >&2
program <<'JS'
new Thing("a", { region: "two" }, { retainOnDelete: true });
JS
ends 0 up
equals "$(requests)" "diff:a-1 create:a-2 delete:a-1"
program <<'JS'
new Thing("a", { region: "three" });
JS
ends 0 up
equals "$(requests)" "diff:a-2 create:a-3"
