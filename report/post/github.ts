import { readFileSync } from "node:fs";
import { type Comment, type Comments, postReport } from "./post";

/** The used part of actions/github-script, whose client authenticates and retries. */
export interface GitHubScript {
  readonly github: {
    request(route: string, parameters: object): Promise<{ readonly data: unknown }>;
  };
  readonly context: { readonly repo: { readonly owner: string; readonly repo: string } };
  readonly core: { info(message: string): void };
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Item {
  readonly id: number;
  readonly number: number;
  readonly body?: string | null;
  readonly user?: { readonly type: string } | null;
  /** An issue that is a pull request. */
  readonly pull_request?: object;
  readonly html_url: string;
}

/** Posts to a pull request, or with a title to an issue. */
export async function postToGitHub({ github, context, core, env }: GitHubScript): Promise<void> {
  const { REPORT = "", PULL_REQUEST = "", ISSUE_TITLE = "", SKIP_UNCHANGED, RUN_URL } = env;
  const report = readFileSync(REPORT, "utf8");
  if ((PULL_REQUEST === "") === (ISSUE_TITLE === "")) throw new Error("set either pull-request or issue-title");
  const request = async (route: string, parameters: object) =>
    (await github.request(route, { ...context.repo, ...parameters })).data;
  const comments = ISSUE_TITLE === "" ? commentsOf(request, Number(PULL_REQUEST)) : issuesCalled(request, ISSUE_TITLE);
  const address = await postReport(comments, report, { skipsUnchanged: SKIP_UNCHANGED === "true", runUrl: RUN_URL });
  core.info(address ?? "No changes, and no earlier comment to update.");
}

type Request = (route: string, parameters: object) => Promise<unknown>;

function commentsOf(request: Request, number: number): Comments {
  const route = "/repos/{owner}/{repo}/issues";
  return {
    own: () => ownItems(request, `GET ${route}/{issue_number}/comments`, { issue_number: number }, "id"),
    create: async (body) =>
      address(await request(`POST ${route}/{issue_number}/comments`, { issue_number: number, body })),
    update: async (id, body) =>
      address(await request(`PATCH ${route}/comments/{comment_id}`, { comment_id: Number(id), body })),
  };
}

function issuesCalled(request: Request, title: string): Comments {
  const route = "/repos/{owner}/{repo}/issues";
  return {
    own: () => ownItems(request, `GET ${route}`, { state: "open" }, "number"),
    create: async (body) => address(await request(`POST ${route}`, { title, body })),
    update: async (id, body) =>
      address(await request(`PATCH ${route}/{issue_number}`, { issue_number: Number(id), title, body })),
  };
}

function address(item: unknown): string {
  return (item as Item).html_url;
}

const PER_PAGE = 100;

/** Items written by bots, page by page: a marker in a user's comment is only text. */
async function* ownItems(
  request: Request,
  route: string,
  parameters: object,
  id: "id" | "number",
): AsyncGenerator<Comment> {
  for (let page = 1; ; page += 1) {
    const items = (await request(route, { ...parameters, per_page: PER_PAGE, page })) as readonly Item[];
    for (const item of items) {
      if (item.user?.type === "Bot" && !item.pull_request) yield { id: String(item[id]), body: item.body ?? "" };
    }
    if (items.length < PER_PAGE) return;
  }
}
