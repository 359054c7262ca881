# Requests to GitHub's API, for comment.sh and issue.sh. Needs curl and jq, GITHUB_TOKEN and GITHUB_REPOSITORY.

api=${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One request, tried again where a rate limit asks for it. Prints the body of the answer.
request() {
  local method=$1 url=$2 body=${3:-} status wait
  for _ in 1 2 3 4 5; do
    status=$(curl --silent --show-error --output "$scratch/answer" --dump-header "$scratch/head" \
      --write-out '%{http_code}' --request "$method" --header "Authorization: Bearer $GITHUB_TOKEN" \
      --header "Accept: application/vnd.github+json" ${body:+--data-binary "@$body"} "$url")
    if [[ $status == 2* ]]; then
      cat "$scratch/answer"
      return
    fi
    # A change may have been made by a request that failed: only what can be repeated is.
    if [[ $status == 5* && $method != POST ]]; then
      sleep "${RETRY_SECONDS:-2}"
      continue
    fi
    wait=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$scratch/head")
    if [[ ($status != 429 && $status != 403) || -z $wait ]]; then
      echo "$method $url answered $status: $(jq -r .message "$scratch/answer" 2> /dev/null || true)" >&2
      return 1
    fi
    sleep "$wait"
  done
  echo "$method $url: no answer but $status, time after time" >&2
  return 1
}

# The id of the first thing in a list, page after page, that a bot has written and that begins with this line.
find_marked() {
  local url=$1 marker=$2 field=$3 page found
  for page in $(seq 1 50); do
    request GET "$url&per_page=100&page=$page" > "$scratch/page" || return 1
    found=$(jq -r --arg marker "$marker" --arg field "$field" \
      '[.[] | select(.user.type == "Bot" and ((.body // "") | startswith($marker)))][0][$field] // empty' "$scratch/page")
    if [[ -n $found || $(jq length "$scratch/page") -lt 100 ]]; then
      echo "$found"
      return
    fi
  done
}
