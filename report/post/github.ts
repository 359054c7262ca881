import { readFileSync } from "node:fs";
import { type Comment, type Comments, nothingPosted, PostError, postReport } from "./post";
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
  readonly title?: string;
  readonly state?: string;
  readonly user?: { readonly login: string } | null;
  /** An issue that is a pull request. */
  readonly pull_request?: object;
  readonly html_url: string;
}

/** Posts to a pull request, or with a title to an issue. */
export async function postToGitHub({ github, context, core, env }: GitHubScript): Promise<void> {
  const { REPORT = "", PULL_REQUEST = "", ISSUE_TITLE = "", SKIP_UNCHANGED, RESOLVED, RUN_URL } = env;
  const report = readFileSync(REPORT, "utf8");
  if ((PULL_REQUEST === "") === (ISSUE_TITLE === "")) throw new PostError("set either pull-request or issue-title");
  const request = async (route: string, parameters: object) =>
    (await github.request(route, { ...context.repo, ...parameters })).data;
  let login: Promise<string> | undefined;
  const account = () =>
    (login ??= github.graphql("query { viewer { login } }").then((response) => partOf(LOGIN, response)));
  const comments =
    ISSUE_TITLE === ""
      ? commentsOf(request, account, Number(PULL_REQUEST))
      : issuesCalled(request, account, ISSUE_TITLE);
  const options = { skipsUnchanged: SKIP_UNCHANGED === "true", isResolved: RESOLVED === "true", runUrl: RUN_URL };
  core.info((await postReport(comments, report, options)) ?? nothingPosted(options));
}

type Request = (route: string, parameters: object) => Promise<unknown>;
/** The login of the token's account: a user, or a bot such as `github-actions[bot]`. */
type Account = () => Promise<string>;

/** For Octokit: a request that failed may still have created something. */
const ONCE = { request: { retries: 0 } };

function commentsOf(request: Request, account: Account, number: number): Comments {
  const route = "/repos/{owner}/{repo}/issues";
  return {
    async *own() {
      const comments = ownItems(request, account, `GET ${route}/{issue_number}/comments`, { issue_number: number });
      for await (const { id, body } of comments) yield { id: String(id), body: body ?? "" };
    },
    create: async (body) =>
      partOf(ADDRESS, await request(`POST ${route}/{issue_number}/comments`, { issue_number: number, body, ...ONCE })),
    update: async (id, body) =>
      partOf(ADDRESS, await request(`PATCH ${route}/comments/{comment_id}`, { comment_id: Number(id), body })),
  };
}

function issuesCalled(request: Request, account: Account, title: string): Comments {
  const route = "/repos/{owner}/{repo}/issues";
  return {
    async *own() {
      // Those of others, and pull requests, would fill the pages.
      const creator = await account();
      yield* issuesIn(ownItems(request, account, `GET ${route}`, { creator, state: "open" }));
      // Only the latest: a repository may have thousands.
      const latest = { creator, state: "closed", sort: "updated", direction: "desc" };
      yield* issuesIn(ownItems(request, account, `GET ${route}`, latest, 1));
    },
    create: async (body) => partOf(ADDRESS, await request(`POST ${route}`, { title, body, ...ONCE })),
    update: (id, body) => change(id, { body }),
    issue: {
      comment: (id, body) =>
        request(`POST ${route}/{issue_number}/comments`, { issue_number: Number(id), body, ...ONCE }),
      close: (id) => change(id, { state: "closed" }),
      reopen: (id, body) => change(id, { body, state: "open" }),
    },
  };

  async function change(id: string, parameters: object): Promise<string> {
    return partOf(ADDRESS, await request(`PATCH ${route}/{issue_number}`, { issue_number: Number(id), ...parameters }));
  }

  /** Those with the title: several checks of one stack have issues of their own. */
  async function* issuesIn(items: AsyncIterable<Item>): AsyncGenerator<Comment> {
    for await (const item of items) {
      if (item.title !== title || item.pull_request) continue;
      yield { id: String(item.number), body: item.body ?? "", isClosed: item.state === "closed" };
    }
  }
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
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item> {
  const self = await account();
  for (let page = 1; page <= most; page += 1) {
    const items = partOf(listOf<Item>(), await request(route, { ...parameters, per_page: PER_PAGE, page }));
    for (const item of items) {
      if (item.user?.login === self) yield item;
    }
    if (items.length < PER_PAGE) return;
  }
}
