#!/usr/bin/env bash
# Pulumi 3.276.0
# Behavior: `up --continue-on-error` can store a state that Pulumi then refuses. After a failed
# creation, the engine skips what depends on it, and still deletes what the program no longer
# declares. A skipped resource keeps its former dependencies in the state, even on a resource that
# was deleted a moment later. Each later preview, update or refresh then ends before it begins.
# `pulumi state repair` removes the dependency.
# Output seen:
#   snapshot integrity failure; refusing to use it
#   - 1 deleted
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
const a = new Thing("a", { size: 1 });
new Thing("b", { size: 1 }, { dependsOn: a });
JS
ends 0 up

program <<'JS'
const c = new Thing("c", { size: 1 });
new Thing("b", { size: 2 }, { dependsOn: c });
JS
echo broken >fault
ends 1 up --continue-on-error
contains "$output" "- 1 deleted"
for command in "up --yes" "refresh --yes" preview; do
  # shellcheck disable=SC2086
  ends 1 pulumi $command
  contains "$output" "snapshot integrity failure; refusing to use it"
done
ends 0 pulumi state repair --yes
ends 0 up
