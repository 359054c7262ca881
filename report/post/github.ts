import { readFileSync } from "node:fs";
import { type Comment, type Comments, NOTHING_POSTED, PostError, postReport } from "./post";
import { ID, listOf, memberOf, type Part } from "./request";

/** The used part of actions/github-script, whose client authenticates and retries. */
export interface GitHubScript {
  readonly github: {
    request(route: string, parameters: object): Promise<{ readonly data: unknown }>;
    graphql(query: string): Promise<unknown>;
  };
  readonly context: { readonly repo: { readonly owner: string; readonly repo: string } };
  readonly core: { info(message: string): void };
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Item {
  readonly id: number;
  readonly number: number;
  readonly body?: string | null;
  readonly user?: { readonly login: string } | null;
  /** An issue that is a pull request. */
  readonly pull_request?: object;
  readonly html_url: string;
}

/** Posts to a pull request, or with a title to an issue. */
export async function postToGitHub({ github, context, core, env }: GitHubScript): Promise<void> {
  const { REPORT = "", PULL_REQUEST = "", ISSUE_TITLE = "", SKIP_UNCHANGED, RUN_URL } = env;
  const report = readFileSync(REPORT, "utf8");
  if ((PULL_REQUEST === "") === (ISSUE_TITLE === "")) throw new PostError("set either pull-request or issue-title");
  const request = async (route: string, parameters: object) =>
    (await github.request(route, { ...context.repo, ...parameters })).data;
  const account = async () => partOf(LOGIN, await github.graphql("query { viewer { login } }"));
  const comments =
    ISSUE_TITLE === ""
      ? commentsOf(request, account, Number(PULL_REQUEST))
      : issuesCalled(request, account, ISSUE_TITLE);
  const address = await postReport(comments, report, { skipsUnchanged: SKIP_UNCHANGED === "true", runUrl: RUN_URL });
  core.info(address ?? NOTHING_POSTED);
}

type Request = (route: string, parameters: object) => Promise<unknown>;
/** The login of the token's account: a user, or a bot such as `github-actions[bot]`. */
type Account = () => Promise<string>;

/** For Octokit: a request that failed may still have created something. */
const ONCE = { request: { retries: 0 } };

function commentsOf(request: Request, account: Account, number: number): Comments {
  const route = "/repos/{owner}/{repo}/issues";
  return {
    own: () => ownItems(request, account, `GET ${route}/{issue_number}/comments`, { issue_number: number }, "id"),
    create: async (body) =>
      partOf(ADDRESS, await request(`POST ${route}/{issue_number}/comments`, { issue_number: number, body, ...ONCE })),
    update: async (id, body) =>
      partOf(ADDRESS, await request(`PATCH ${route}/comments/{comment_id}`, { comment_id: Number(id), body })),
  };
}

function issuesCalled(request: Request, account: Account, title: string): Comments {
  const route = "/repos/{owner}/{repo}/issues";
  return {
    own: () => ownItems(request, account, `GET ${route}`, { state: "open" }, "number"),
    create: async (body) => partOf(ADDRESS, await request(`POST ${route}`, { title, body, ...ONCE })),
    update: async (id, body) =>
      partOf(ADDRESS, await request(`PATCH ${route}/{issue_number}`, { issue_number: Number(id), title, body })),
  };
}

const ADDRESS: Part<string> = {
  name: "an id",
  in(item) {
    const url = memberOf(item, "html_url");
    return ID.in(item) !== undefined && typeof url === "string" ? url : undefined;
  },
};
const LOGIN: Part<string> = {
  name: "the token's account",
  in(data) {
    const login = memberOf(memberOf(data, "viewer"), "login");
    return typeof login === "string" && login !== "" ? login : undefined;
  },
};

/** Octokit follows redirects, and a sign-in page is text to it. */
function partOf<T>(part: Part<T>, response: unknown): T {
  const value = part.in(response);
  if (value !== undefined) return value;
  throw new PostError(`GitHub's response lacks ${part.name}: the report may not have been posted. Check the token.`);
}

const PER_PAGE = 100;

/** Items of the token's account, page by page: a marker in another one's comment is only text. */
async function* ownItems(
  request: Request,
  account: Account,
  route: string,
  parameters: object,
  id: "id" | "number",
): AsyncGenerator<Comment> {
  const self = await account();
  for (let page = 1; ; page += 1) {
    const items = partOf(listOf<Item>(), await request(route, { ...parameters, per_page: PER_PAGE, page }));
    for (const item of items) {
      if (item.user?.login === self && !item.pull_request) yield { id: String(item[id]), body: item.body ?? "" };
    }
    if (items.length < PER_PAGE) return;
  }
}
