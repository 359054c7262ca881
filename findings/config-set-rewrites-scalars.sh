#!/usr/bin/env bash
# Pulumi 3.276.0, Pulumi.STACK.yaml
# Behavior: Pulumi reads unquoted values of the file as numbers and dates of YAML and makes text of
# them: 0123 is octal, 3.10 loses its zero, 1_000 its underscore, and a date gains a time. The
# program gets this text, and `config set` of any key writes it into the file: a version or an
# account number written by hand changes with a command that does not name it.
# Output seen:
#   field:code: "83"
#   field:version: "3.1"
#   field:amount: "1000"
#   field:mask: "31"
#   field:day: 2026-12-31 00:00:00 +0000 UTC
. "$(dirname "$0")/lib.sh"

engine
cat >>Pulumi.dev.yaml <<'YAML'
config:
  field:code: 0123
  field:version: 3.10
  field:amount: 1_000
  field:mask: 0x1F
  field:day: 2026-12-31
YAML
equals "$(pulumi config get code)" 83
pulumi config set unrelated value
equals "$(grep field: Pulumi.dev.yaml)" '  field:code: "83"
  field:version: "3.1"
  field:amount: "1000"
  field:mask: "31"
  field:day: 2026-12-31 00:00:00 +0000 UTC
  field:unrelated: value'
