import { z } from "zod";
import type { Environment } from "../read/redactor";
import type { Comment, Comments } from "./post";
import { createRequester, ID, type Requester, required } from "./request";

/** For each platform, a function from a pipeline's variables to the pull request's comments. */
export const PLACES = { github, gitlab, azure };

/**
 * A user, or a bot such as `github-actions[bot]`. Without an account, each run would create a
 * comment.
 */
const LOGIN = z
  .object({ data: z.object({ viewer: z.object({ login: z.string().min(1) }) }) })
  .describe("an account");
const TEXT = z.string().nullish();
const ISSUE_COMMENTS = z
  .array(z.object({ ...ID.shape, body: TEXT, user: z.object({ login: z.string() }).nullish() }))
  .describe("a list");
const NOTHING = z.unknown();
const ADDRESS = z.object({ ...ID.shape, html_url: z.string() }).describe("an id");

/**
 * Comments on GitHub. The job must pass the pull request's number, which GitHub Actions has in no
 * variable.
 */
export function github(env: Environment): Comments {
  const [api, graphql, repository, number, token] = required(
    env,
    "GITHUB_API_URL",
    "GITHUB_GRAPHQL_URL",
    "GITHUB_REPOSITORY",
    "PULL_REQUEST",
    "GITHUB_TOKEN",
  );
  const server = { token, headers: { authorization: `Bearer ${token}` } };
  const request = createRequester(server);
  const query = createRequester({ ...server, isReadOnly: true });
  const issues = `${api}/repos/${repository}/issues`;
  const comments = `${issues}/${encodeURIComponent(number)}/comments`;
  return {
    async *own() {
      const { data } = await query("POST", graphql, LOGIN, { query: "query { viewer { login } }" });
      for await (const { id, body, user } of paged(request, comments, ISSUE_COMMENTS))
        if (user?.login === data.viewer.login) yield comment(id, body);
    },
    create: async (body) => (await request("POST", comments, ADDRESS, { body })).html_url,
    update: async (id, body) =>
      (await request("PATCH", `${issues}/comments/${id}`, ADDRESS, { body })).html_url,
    remove: async (id) => void (await request("DELETE", `${issues}/comments/${id}`, NOTHING)),
  };
}

const NOTES = z
  .array(z.object({ ...ID.shape, body: TEXT, author: ID.nullish() }))
  .describe("a list");

/**
 * Comments on GitLab. They need a separate token, because a pipeline's job token cannot write
 * notes.
 */
export function gitlab(env: Environment): Comments {
  const [api, project, iid, token] = required(
    env,
    "CI_API_V4_URL",
    "CI_PROJECT_ID",
    "CI_MERGE_REQUEST_IID",
    "GITLAB_TOKEN",
  );
  const number = encodeURIComponent(iid);
  const request = createRequester({ token, headers: { "private-token": token } });
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${number}/notes`;
  const addressOf = ({ id }: z.output<typeof ID>) =>
    `${env.CI_PROJECT_URL ?? ""}/-/merge_requests/${number}#note_${id}`;
  return {
    async *own() {
      const self = await request("GET", `${api}/user`, ID);
      for await (const { id, body, author } of paged(request, notes, NOTES))
        if (author?.id === self.id) yield comment(id, body);
    },
    create: async (body) => addressOf(await request("POST", notes, ID, { body })),
    update: async (id, body) => addressOf(await request("PUT", `${notes}/${id}`, ID, { body })),
    remove: async (id) => void (await request("DELETE", `${notes}/${id}`, NOTHING)),
  };
}

const ACCOUNT = z.object({ authenticatedUser: ID }).describe("an account");
const THREAD = z.object({
  ...ID.shape,
  comments: z.array(z.object({ ...ID.shape, content: TEXT, author: ID.nullish() })).nullish(),
});
const THREADS = z.object({ value: z.array(THREAD) }).describe("a list");

/** Comments on Azure DevOps, which are in threads. */
export function azure(env: Environment): Comments {
  const [collection, teamProject, repositoryId, pullRequestId, token] = required(
    env,
    "SYSTEM_COLLECTIONURI",
    "SYSTEM_TEAMPROJECT",
    "BUILD_REPOSITORY_ID",
    "SYSTEM_PULLREQUEST_PULLREQUESTID",
    "SYSTEM_ACCESSTOKEN",
  );
  const [project, repository, number] = [teamProject, repositoryId, pullRequestId].map(
    encodeURIComponent,
  );
  const request = createRequester({ token, headers: { authorization: `Bearer ${token}` } });
  const base = collection.replace(/\/?$/, "/");
  const api = `${base}${project}/_apis/git/repositories/${repository}`;
  const threads = `${api}/pullRequests/${number}/threads`;
  const address = `${base}${project}/_git/${repository}/pullrequest/${number}`;
  const version = "?api-version=7.1";
  return {
    async *own() {
      const { authenticatedUser: self } = await request(
        "GET",
        `${base}_apis/connectionData`,
        ACCOUNT,
      );
      for (const thread of (await request("GET", threads + version, THREADS)).value) {
        const [first] = thread.comments ?? [];
        if (first?.author?.id === self.id)
          yield comment(`${thread.id}/comments/${first.id}`, first.content);
      }
    },
    create: async (content) => {
      const comments = [{ parentCommentId: 0, content, commentType: "text" }];
      // A closed thread does not block a merge.
      await request("POST", threads + version, ID, { comments, status: "closed" });
      return address;
    },
    update: async (place, content) => {
      await request("PATCH", `${threads}/${place}${version}`, ID, { content });
      return address;
    },
    remove: async (place) =>
      void (await request("DELETE", `${threads}/${place}${version}`, NOTHING)),
  };
}

function comment(id: string | number, body: string | null | undefined): Comment {
  return { id: `${id}`, body: body ?? "" };
}

const PER_PAGE = 100;

async function* paged<Item>(
  request: Requester,
  url: string,
  list: z.ZodType<readonly Item[]>,
): AsyncGenerator<Item> {
  for (let page = 1; ; page += 1) {
    const items = await request("GET", `${url}?per_page=${PER_PAGE}&page=${page}`, list);
    yield* items;
    if (items.length < PER_PAGE) return;
  }
}
