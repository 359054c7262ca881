import type { Environment } from "../read/environment";
import type { Comment, Comments } from "./post";
import { createRequester, ID, listOf, memberOf, type Part, type Requester, required } from "./request";

/** Comments of a pull request in a job of GitHub Actions, which has to name its number. */
export function githubComments(env: Environment): Comments {
  const [api, graphql, repository, number, token] = required(env, [
    "GITHUB_API_URL",
    "GITHUB_GRAPHQL_URL",
    "GITHUB_REPOSITORY",
    "PULL_REQUEST",
    "GITHUB_TOKEN",
  ]) as [string, string, string, string, string];
  const server = { secrets: [token], headers: { authorization: `Bearer ${token}` } };
  const request = createRequester(server);
  const query = createRequester({ ...server, isReadOnly: true });
  const issues = `${api}/repos/${repository}/issues`;
  const comments = `${issues}/${encodeURIComponent(number)}/comments`;
  return {
    own: () => ownComments(request, comments, query("POST", graphql, LOGIN, { query: "query { viewer { login } }" })),
    create: (body) => request("POST", comments, ADDRESS, { body }),
    update: (id, body) => request("PATCH", `${issues}/comments/${id}`, ADDRESS, { body }),
  };
}

interface IssueComment {
  readonly id: number;
  readonly body?: string | null;
  readonly user?: { readonly login: string } | null;
}

const PER_PAGE = 100;

async function* ownComments(request: Requester, url: string, login: Promise<string>): AsyncGenerator<Comment> {
  const self = await login;
  for (let page = 1; ; page += 1) {
    const items = await request("GET", `${url}?per_page=${PER_PAGE}&page=${page}`, listOf<IssueComment>());
    for (const { id, body, user } of items) if (user?.login === self) yield { id: String(id), body: body ?? "" };
    if (items.length < PER_PAGE) return;
  }
}

const ADDRESS: Part<string> = {
  name: "an id",
  in(item) {
    const url = memberOf(item, "html_url");
    return ID.in(item) !== undefined && typeof url === "string" ? url : undefined;
  },
};
/** A user, or a bot such as `github-actions[bot]`; without it, each run would make a comment. */
const LOGIN: Part<string> = {
  name: "an account",
  in(json) {
    const login = memberOf(memberOf(memberOf(json, "data"), "viewer"), "login");
    return typeof login === "string" && login !== "" ? login : undefined;
  },
};
