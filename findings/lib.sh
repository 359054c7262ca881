# Shared by the findings: a temporary folder, assertions, and an engine with a small provider.
# shellcheck shell=bash
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Fails unless the text contains the fragment: contains TEXT FRAGMENT
contains() {
  [[ $1 == *"$2"* ]] && return
  printf 'Changed: "%s" is missing from:\n%s\n' "$2" "$1" >&2
  exit 1
}

# Fails unless two texts are equal: equals ACTUAL EXPECTED
equals() {
  [[ $1 == "$2" ]] && return
  printf 'Changed: expected\n%s\nbut got\n%s\n' "$2" "$1" >&2
  exit 1
}

# Fails unless a command ends with an exit code; its text is in $output: ends CODE COMMAND
ends() {
  local expected=$1 code=0
  shift
  output=$("$@" 2>&1) || code=$?
  [[ $code == "$expected" ]] && return
  printf 'Changed: exit code %s instead of %s of %s:\n%s\n' "$code" "$expected" "$*" "$output" >&2
  exit 1
}

install() { npm install --no-audit --no-fund --loglevel=error "$@" >&2; }

# Installs a program of a Go module: go_install PACKAGE@VERSION
go_install() { GOBIN=$work/bin CGO_ENABLED=0 go install "$1" >&2; }

# Creates the stack "dev", with the provider of engine/: engine [PACKAGE...]
engine() {
  PATH=$work/plugins:$(CLOUDDB_TEST_ENGINE=3.276.0 node "$here/../tools/setup.mjs" engine):$PATH
  install @pulumi/pulumi@3.276.0 "$@"
  # The SDK needs Node.js 22.
  if (($(node -p 'parseInt(process.versions.node)') < 22)); then
    install node@24.12.0
    PATH=$work/node_modules/node/bin:$PATH
  fi
  # Copied, so that the plugins find the SDK of this folder.
  cp -r "$here/engine" plugins
  export PATH PULUMI_HOME=$work/home THINGS=$work
  export PULUMI_BACKEND_URL=file://$work PULUMI_CONFIG_PASSPHRASE=passphrase
  export PULUMI_SKIP_UPDATE_CHECK=true PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true NO_COLOR=1
  printf 'name: field\nruntime: nodejs\n' >Pulumi.yaml
  pulumi stack init dev >&2
}

# Replaces the program, which can use pulumi and Thing: program <<'JS'
program() {
  cat >index.js <<'JS'
const pulumi = require("@pulumi/pulumi");
class Thing extends pulumi.CustomResource {
  constructor(name, args, options) {
    super("thing:index:Thing", name, args, options);
  }
}
JS
  cat >>index.js
}

up() { pulumi up --yes --skip-preview --suppress-progress "$@"; }

# Requests that the provider has received since the last call
requests() {
  touch requests
  paste -sd ' ' requests
  rm -f requests
}
