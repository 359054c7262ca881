#!/usr/bin/env bash
# Puts a report into one comment of a pull request, and keeps that comment up to date.
# Usage: comment.sh REPORT, with GITHUB_TOKEN, GITHUB_REPOSITORY and PULL_REQUEST (its number) set.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/github.sh"

report=$1
comments="$api/issues/$PULL_REQUEST/comments"
jq --raw-input --slurp '{body: .}' "$report" > "$scratch/body"
id=$(find_marked "$comments?sort=created" "$(head -n 1 "$report")" id)
if [[ -n $id ]]; then
  request PATCH "$api/issues/comments/$id" "$scratch/body" | jq -r .html_url
else
  request POST "$comments" "$scratch/body" | jq -r .html_url
fi
