#!/usr/bin/env bash
# Pulumi 3.276.0, resource option `import`
# Behavior: another ID in the option `import` of an imported resource replaces the resource: the
# update reads the new object and deletes the old one. `protect: true` does not prevent this, in
# the state or in the program, so correcting a mistyped ID deletes the object that was imported by
# mistake. A replacement because of another argument is refused under the same protection.
# Output seen:
#   +-1 to replace
#   +-1 replaced
#   requests: read:right diff:right delete:wrong
. "$(dirname "$0")/lib.sh"

engine
mkdir objects
echo '{"size":1}' | tee objects/wrong.json >objects/right.json
program <<'JS'
new Thing("a", { size: 1 }, { import: "wrong", protect: true });
JS
up >&2
requests >&2
program <<'JS'
new Thing("a", { size: 1 }, { import: "right", protect: true });
JS
ends 0 pulumi preview
contains "$output" "+-1 to replace"
requests >&2
ends 0 up
contains "$output" "+-1 replaced"
equals "$(requests)" "read:right diff:right delete:wrong"

program <<'JS'
new Thing("a", { size: 1, region: "other" }, { protect: true });
JS
ends 1 up
contains "$output" "unable to replace resource"
