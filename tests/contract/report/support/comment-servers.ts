import type { Answer, Asked } from "./server";

/** Stand-ins of the APIs that `post` uses, with the comments of one merge or pull request. */
export interface CommentServer {
  readonly name: "github" | "gitlab" | "azure";
  /** The account of the token. */
  readonly self: string;
  /** A part of a comment's address. */
  readonly address: string;
  readonly asked: Asked[];
  readonly comments: { readonly author: string; body: string }[];
  /** Takes the place of the next answers, as long as it returns one. */
  fault: (asked: Asked) => Answer | undefined;
  answer(asked: Asked): Answer;
  variables(url: string, token?: string): Record<string, string>;
}

export const TOKEN = "canary-token";

/** The number of requests per path: `PUT /x`. */
export function pathsOf({ asked }: CommentServer): string[] {
  return asked.map(({ method, path }) => `${method} ${path}`);
}

export function githubServer(): CommentServer {
  const comments: { readonly author: string; body: string }[] = [];
  const asked: Asked[] = [];
  const commentOf = (index: number) => ({
    id: index + 1,
    html_url: `https://github.example/shop/pull/5#issuecomment-${index + 1}`,
    body: comments[index]?.body,
    user: { login: comments[index]?.author },
  });
  return {
    name: "github",
    self: "github-actions[bot]",
    address: "https://github.example/shop/pull/5#issuecomment-",
    asked,
    comments,
    fault: () => undefined,
    answer({ method: sent, ...request }) {
      const { path, query, headers, body } = request;
      // A query is sent as a POST and creates nothing.
      const method = path === "/graphql" ? "GET" : sent;
      asked.push({ ...request, method });
      if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { message: "Bad credentials" } };
      const fault = this.fault({ ...request, method });
      if (fault) return fault;
      if (path === "/graphql") {
        expect(body).toEqual({ query: "query { viewer { login } }" });
        return { status: 200, body: { data: { viewer: { login: "github-actions[bot]" } } } };
      }
      const issues = "/repos/acme/shop/issues";
      if (path === `${issues}/5/comments` && method === "POST") {
        return { status: 201, body: commentOf(add(comments, "github-actions[bot]", body.body)) };
      }
      const [page, size] = [Number(query.get("page")), Math.min(Number(query.get("per_page")), 100)];
      if (path === `${issues}/5/comments` && method === "GET") {
        const all = comments.map((_, index) => commentOf(index));
        return { status: 200, body: all.slice(size * (page - 1), size * page) };
      }
      const id = Number(path.replace(`${issues}/comments/`, ""));
      const current = method === "PATCH" ? comments[id - 1] : undefined;
      if (current === undefined) return { status: 404, body: { message: "Not Found" } };
      current.body = String(body.body);
      return { status: 200, body: commentOf(id - 1) };
    },
    variables: (url, token = TOKEN) => ({
      GITHUB_API_URL: url,
      GITHUB_GRAPHQL_URL: `${url}/graphql`,
      GITHUB_REPOSITORY: "acme/shop",
      PULL_REQUEST: "5",
      GITHUB_TOKEN: token,
    }),
  };
}

export function gitlabServer(): CommentServer {
  const comments: { readonly author: string; body: string }[] = [];
  const asked: Asked[] = [];
  const noteOf = (index: number) => ({
    id: index + 1,
    body: comments[index]?.body,
    author: { id: Number(comments[index]?.author) },
  });
  return {
    name: "gitlab",
    self: "7",
    address: "https://gitlab.example/shop/-/merge_requests/5#note_",
    asked,
    comments,
    fault: () => undefined,
    answer(request) {
      asked.push(request);
      const { method, path, query, headers, body } = request;
      if (headers["private-token"] !== TOKEN) return { status: 401, body: { message: "401 Unauthorized" } };
      const fault = this.fault(request);
      if (fault) return fault;
      if (path === "/user") return { status: 200, body: { id: 7 } };
      const [, id] = /^\/projects\/3\/merge_requests\/5\/notes(?:\/(\d+))?$/.exec(path) ?? [];
      if (method === "POST") return { status: 201, body: noteOf(add(comments, "7", body.body)) };
      // GitLab returns 100 at most.
      const [page, size] = [Number(query.get("page")), Math.min(Number(query.get("per_page")), 100)];
      if (method === "GET") {
        return { status: 200, body: comments.map((_, index) => noteOf(index)).slice(size * (page - 1), size * page) };
      }
      const current = method === "PUT" ? comments[Number(id) - 1] : undefined;
      if (current?.author !== "7") return { status: current ? 403 : 404, body: { message: "no such note" } };
      current.body = String(body.body);
      return { status: 200, body: noteOf(Number(id) - 1) };
    },
    variables: (url, token = TOKEN) => ({
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "3",
      CI_PROJECT_URL: "https://gitlab.example/shop",
      CI_MERGE_REQUEST_IID: "5",
      GITLAB_TOKEN: token,
    }),
  };
}

export function azureServer(): CommentServer {
  const comments: { readonly author: string; body: string }[] = [];
  const asked: Asked[] = [];
  const threadOf = (index: number) => ({
    id: index + 1,
    status: "closed",
    comments: [{ id: 1, content: comments[index]?.body, author: { id: comments[index]?.author } }],
  });
  return {
    name: "azure",
    self: "me",
    address: "/org/my%20shop/_git/r1/pullrequest/5",
    asked,
    comments,
    fault: () => undefined,
    answer(request) {
      asked.push(request);
      const { method, path, headers, body } = request;
      if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: {} };
      const fault = this.fault(request);
      if (fault) return fault;
      if (path === "/org/_apis/connectionData") return { status: 200, body: { authenticatedUser: { id: "me" } } };
      if (method === "GET") return { status: 200, body: { value: comments.map((_, index) => threadOf(index)) } };
      if (method === "POST") {
        const [first] = body.comments as { content: string }[];
        return { status: 200, body: threadOf(add(comments, "me", first?.content)) };
      }
      const [, thread] =
        /\/my%20shop\/_apis\/git\/repositories\/r1\/pullRequests\/5\/threads\/(\d+)\/comments\/1$/.exec(path) ?? [
          undefined,
          "0",
        ];
      const current = method === "PATCH" ? comments[Number(thread) - 1] : undefined;
      if (current?.author !== "me") return { status: current ? 403 : 404, body: { message: "no such thread" } };
      current.body = String(body.content);
      return { status: 200, body: { id: 1, content: current.body } };
    },
    variables: (url, token = TOKEN) => ({
      SYSTEM_COLLECTIONURI: `${url}/org/`,
      SYSTEM_TEAMPROJECT: "my shop",
      BUILD_REPOSITORY_ID: "r1",
      SYSTEM_PULLREQUEST_PULLREQUESTID: "5",
      SYSTEM_ACCESSTOKEN: token,
    }),
  };
}

function add(comments: CommentServer["comments"], author: string, body: unknown): number {
  return comments.push({ author, body: String(body) }) - 1;
}
