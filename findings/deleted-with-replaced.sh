#!/usr/bin/env bash
# Pulumi 3.276.0, resource option `deletedWith`
# Behavior: when resource a is replaced, a resource b with `deletedWith: a` is replaced as well,
# although none of its arguments changes. The provider's diff of b is not called, a new object is
# created, and no request deletes the old b. It stays behind unless deleting the old a removes it.
# Output seen:
#   +-2 replaced
#   requests: diff:a-1 create:a-3 create:b-4 delete:a-1
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
const a = new Thing("a", { region: "one" });
new Thing("b", { size: 1 }, { deletedWith: a });
JS
up >&2
requests >&2
program <<'JS'
const a = new Thing("a", { region: "two" });
new Thing("b", { size: 1 }, { deletedWith: a });
JS
ends 0 up
contains "$output" "+-2 replaced"
equals "$(requests)" "diff:a-1 create:a-3 create:b-4 delete:a-1"
