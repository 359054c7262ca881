#!/usr/bin/env bash
# Pulumi 3.276.0, SDK for Node.js 3.276.0, error hooks
# Behavior: an error hook that returns true repeats the failed operation at once: the engine does
# not pause between tries, and stops after 100. Each try is a complete creation. If the request
# fails after the object exists, as with a lost response, one update leaves 100 objects behind,
# none of them in the state.
# Output seen:
#   error: maximum number of error hook retries reached
#   100 objects
. "$(dirname "$0")/lib.sh"

engine
program <<'JS'
const retry = new pulumi.ErrorHook("retry", () => {
  require("node:fs").writeFileSync("fault", "late");
  return true;
});
new Thing("a", { size: 1 }, { hooks: { onError: [retry] } });
JS
echo late >fault
ends 1 up
contains "$output" "maximum number of error hook retries reached"
equals "$(find objects -type f | wc -l)" 100
equals "$(pulumi stack export | grep -c ::Thing::a)" 0
