#!/usr/bin/env bash
# Pulumi 3.276.0, update plans
# Behavior: a plan leaves out arguments whose names begin with an underscore, and options such as
# retainOnDelete. A program that differs from the planned one in these alone passes `up --plan`:
# the other value is sent, and the object survives the deletion of its resource. The same change of
# an argument with another name is refused.
# Output seen:
#   Resources:
#       + 2 created
#   error: resource …::thing:index:Thing::a violates plan: properties changed: =~size[{2}]
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
new Thing("a", { size: 1, _note: "reviewed" });
JS
ends 0 pulumi preview --save-plan plan.json
program <<'JS'
new Thing("a", { size: 1, _note: "other" }, { retainOnDelete: true });
JS
ends 0 up --plan plan.json
contains "$output" "+ 2 created"
contains "$(pulumi stack export)" '"retainOnDelete": true'
contains "$(cat objects/a-1.json)" '"_note":"other"'
pulumi preview --save-plan plan.json >&2
program <<'JS'
new Thing("a", { size: 2, _note: "other" }, { retainOnDelete: true });
JS
ends 1 up --plan plan.json
contains "$output" "violates plan: properties changed: =~size[{2}]"
