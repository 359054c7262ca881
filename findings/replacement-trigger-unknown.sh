#!/usr/bin/env bash
# Pulumi 3.276.0, resource option `replacementTrigger`
# Behavior: a trigger that is unknown in a preview counts as changed, so the preview of a protected
# resource fails. In the update the trigger turns out to be equal, and the resource is unchanged:
# `up --skip-preview` succeeds where `up` cannot get past its own preview.
# Output seen:
#   error: unable to replace resource "urn:pulumi:dev::field::thing:index:Thing::b"
#   requests of the update: create:c-3 diff:b-2 delete:a-1
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
const a = new Thing("a", { size: 1, label: "x" });
new Thing("b", { size: 1 }, { protect: true, replacementTrigger: a.id.apply(() => "equal") });
JS
up >&2
requests >&2
program <<'JS'
const a = new Thing("c", { size: 1, label: "x" });
new Thing("b", { size: 1 }, { protect: true, replacementTrigger: a.id.apply(() => "equal") });
JS
ends 1 pulumi preview
contains "$output" "unable to replace resource"
requests >&2
ends 0 up
equals "$(requests)" "create:c-3 diff:b-2 delete:a-1"
