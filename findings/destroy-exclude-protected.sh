#!/usr/bin/env bash
# Pulumi 3.276.0, `pulumi destroy --exclude-protected --remove`
# Behavior: the command exits with 0 when protected resources are left, and ignores `--remove`: the
# stack stays. A script that takes exit code 0 for "the stack is gone" is wrong. Its message counts
# the stack and the provider among the protected resources, 3 where 1 is protected. A second run
# finds nothing to destroy and exits with 0 as well.
# Output seen:
#   All unprotected resources were destroyed. There are still 3 protected resources …
#   There were no unprotected resources to destroy. There are still 3 protected resources …
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
new Thing("a", { size: 1 }, { protect: true });
new Thing("b", { size: 1 });
JS
up >&2
requests >&2
ends 0 pulumi destroy --yes --skip-preview --exclude-protected --remove
contains "$output" "All unprotected resources were destroyed. There are still 3 protected resources"
contains "$(requests)" "delete:b-"
ends 0 pulumi destroy --yes --skip-preview --exclude-protected --remove
contains "$output" "There were no unprotected resources to destroy."
contains "$(pulumi stack ls)" "dev*"
