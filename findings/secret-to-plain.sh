#!/usr/bin/env bash
# Pulumi 3.276.0, file backend
# Behavior: if a program drops `pulumi.secret` around an argument whose value stays equal, the
# update reports no change, but stores the argument in clear; its output stays encrypted.
# Marking the argument again encrypts it in the state, again without a reported change. History and
# backups keep the clear text.
# Output seen:
#   2 unchanged
#   "inputs": { "key": "example" }
#   folders with the clear text after the mark is back: backups history
. "$(dirname "$0")/lib.sh"

# Folders of the backend that hold the argument in clear
clear_folders() { grep -rlE '"key": ?"example"' .pulumi | cut -d/ -f2 | sort -u | paste -sd ' '; }

engine
program <<'JS'
new Thing("a", { key: pulumi.secret("example") });
JS
up >&2
equals "$(clear_folders)" ""

program <<'JS'
new Thing("a", { key: "example" });
JS
ends 0 up
contains "$output" "2 unchanged"
equals "$(clear_folders)" "backups history stacks"
contains "$(pulumi stack export)" '"ciphertext"'

program <<'JS'
new Thing("a", { key: pulumi.secret("example") });
JS
ends 0 up
contains "$output" "2 unchanged"
equals "$(clear_folders)" "backups history"
