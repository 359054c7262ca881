#!/usr/bin/env bash
# Opens an issue with a report, or brings the open one up to date.
# Usage: issue.sh REPORT TITLE, with GITHUB_TOKEN and GITHUB_REPOSITORY set.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/github.sh"

report=$1
jq --raw-input --slurp --arg title "$2" '{title: $title, body: .}' "$report" > "$scratch/body"
number=$(find_marked "$api/issues?state=open" "$(head -n 1 "$report")" number)
if [[ -n $number ]]; then
  request PATCH "$api/issues/$number" "$scratch/body" | jq -r .html_url
else
  request POST "$api/issues" "$scratch/body" | jq -r .html_url
fi
