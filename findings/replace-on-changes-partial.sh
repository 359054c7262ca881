#!/usr/bin/env bash
# Pulumi 3.276.0, resource option `replaceOnChanges`
# Behavior: a creation that fails after the object exists stores the object and its error. The next
# update then calls the provider's Update with equal old and new arguments, so that the provider
# can finish the object. With `replaceOnChanges: ["*"]` it is replaced: a second object is
# created and the first one deleted, although no argument has changed.
# Output seen:
#   without the option: diff:a-1 update:a-1
#   with it: diff:b-2 create:b-3 delete:b-2
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
new Thing("a", { size: 1 });
JS
echo partial >fault
ends 1 up
requests >&2
ends 0 up
equals "$(requests)" "diff:a-1 update:a-1"
pulumi destroy --yes --skip-preview >&2

program <<'JS'
new Thing("b", { size: 1 }, { replaceOnChanges: ["*"] });
JS
echo partial >fault
ends 1 up
requests >&2
ends 0 up
equals "$(requests)" "diff:b-2 create:b-3 delete:b-2"
