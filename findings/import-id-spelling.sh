#!/usr/bin/env bash
# Pulumi 3.276.0, resource option `import`
# Behavior: the engine compares the option with the import ID that the state holds, as text. Another
# spelling of the ID of the same object, such as one that begins with its parent, is a replacement:
# the update reads the object, stores it, and then deletes it by the id that both states share. The
# state keeps a resource whose object is gone, `protect: true` does not prevent it, and the next
# update finds nothing to do.
# Output seen:
#   +-1 replaced
#   requests: read:group/a diff:a delete:a
#   2 unchanged
. "$(dirname "$0")/lib.sh"

engine
mkdir objects
echo '{"size":1}' >objects/a.json
program <<'JS'
new Thing("a", { size: 1 }, { import: "a", protect: true });
JS
up >&2
requests >&2
program <<'JS'
new Thing("a", { size: 1 }, { import: "group/a", protect: true });
JS
ends 0 up
contains "$output" "+-1 replaced"
equals "$(requests)" "read:group/a diff:a delete:a"
ends 0 up
contains "$output" "2 unchanged"
