import type { Answer, Asked } from "./server";

/** Stand-ins of the APIs that `post` uses, with the comments of one merge or pull request. */

export const TOKEN = "canary-token";

interface Place {
  readonly name: "github" | "gitlab" | "azure";
  /** The account of the token. */
  readonly self: string;
  /** A part of a comment's address. */
  readonly address: string;
  /** The header with the token. */
  readonly header: readonly [name: string, value: string];
  readonly list: string;
  /** The address of a comment by its number, from 1 on. */
  readonly own: RegExp;
  /** The response with the account. */
  readonly account: readonly [path: string, body: object];
  readonly textIn: (body: Asked["body"]) => unknown;
  readonly commentOf: (comment: PostedComment, id: number) => object;
  readonly listOf: (comments: readonly object[], query: URLSearchParams) => unknown;
  readonly variables: (url: string, token?: string) => Record<string, string>;
}

interface PostedComment {
  readonly author: string;
  body: string;
}

export type CommentServer = ReturnType<typeof serverOf>;

/** The number of requests per path: `PUT /x`. */
export function pathsOf({ asked }: CommentServer): string[] {
  return asked.map(({ method, path }) => `${method} ${path}`);
}

function serverOf(place: Place) {
  const { self, header, list, own, account, textIn, commentOf, listOf } = place;
  return {
    ...place,
    asked: [] as Asked[],
    comments: [] as PostedComment[],
    /** An answer instead of the server's own; undefined for the server's own. */
    fault: (_: Asked): Answer | undefined => undefined,
    answer({ method: sent, ...request }: Asked): Answer {
      const { path, query, headers, body } = request;
      // A query is sent as a POST and creates nothing.
      const method = path === "/graphql" ? "GET" : sent;
      this.asked.push({ ...request, method });
      if (headers[header[0]] !== header[1]) return { status: 401, body: { message: "401 Unauthorized" } };
      const fault = this.fault({ ...request, method });
      if (fault) return fault;
      if (path === account[0]) return { status: 200, body: account[1] };
      const all = () => this.comments.map((comment, index) => commentOf(comment, index + 1));
      if (path === list && method === "GET") return { status: 200, body: listOf(all(), query) };
      if (path === list && method === "POST") {
        this.comments.push({ author: self, body: String(textIn(body)) });
        return { status: 201, body: all().at(-1) };
      }
      const number = Number(own.exec(path)?.[1]);
      const current = ["PUT", "PATCH"].includes(method) ? this.comments[number - 1] : undefined;
      if (current?.author !== self) return { status: current ? 403 : 404, body: { message: "Not Found" } };
      current.body = String(textIn(body));
      return { status: 200, body: commentOf(current, number) };
    },
  };
}

/** A page of comments: GitHub and GitLab return at most 100. */
function pageOf(comments: readonly object[], query: URLSearchParams): readonly object[] {
  const [page, size] = [Number(query.get("page")), Math.min(Number(query.get("per_page")), 100)];
  return comments.slice(size * (page - 1), size * page);
}

export const githubServer = () =>
  serverOf({
    name: "github",
    self: "github-actions[bot]",
    address: "https://github.example/shop/pull/5#issuecomment-",
    header: ["authorization", `Bearer ${TOKEN}`],
    list: "/repos/acme/shop/issues/5/comments",
    own: /^\/repos\/acme\/shop\/issues\/comments\/(\d+)$/,
    account: ["/graphql", { data: { viewer: { login: "github-actions[bot]" } } }],
    textIn: ({ body }) => body,
    commentOf: ({ author, body }, id) => ({
      id,
      html_url: `https://github.example/shop/pull/5#issuecomment-${id}`,
      body,
      user: { login: author },
    }),
    listOf: pageOf,
    variables: (url, token = TOKEN) => ({
      GITHUB_API_URL: url,
      GITHUB_GRAPHQL_URL: `${url}/graphql`,
      GITHUB_REPOSITORY: "acme/shop",
      PULL_REQUEST: "5",
      GITHUB_TOKEN: token,
    }),
  });

export const gitlabServer = () =>
  serverOf({
    name: "gitlab",
    self: "7",
    address: "https://gitlab.example/shop/-/merge_requests/5#note_",
    header: ["private-token", TOKEN],
    list: "/projects/3/merge_requests/5/notes",
    own: /^\/projects\/3\/merge_requests\/5\/notes\/(\d+)$/,
    account: ["/user", { id: 7 }],
    textIn: ({ body }) => body,
    commentOf: ({ author, body }, id) => ({ id, body, author: { id: Number(author) } }),
    listOf: pageOf,
    variables: (url, token = TOKEN) => ({
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "3",
      CI_PROJECT_URL: "https://gitlab.example/shop",
      CI_MERGE_REQUEST_IID: "5",
      GITLAB_TOKEN: token,
    }),
  });

const THREADS = "/org/my%20shop/_apis/git/repositories/r1/pullRequests/5/threads";

export const azureServer = () =>
  serverOf({
    name: "azure",
    self: "me",
    address: "/org/my%20shop/_git/r1/pullrequest/5",
    header: ["authorization", `Bearer ${TOKEN}`],
    list: THREADS,
    own: /\/threads\/(\d+)\/comments\/1$/,
    account: ["/org/_apis/connectionData", { authenticatedUser: { id: "me" } }],
    textIn: ({ content, comments = [{ content }] }) => (comments as readonly { content: unknown }[])[0]?.content,
    commentOf: ({ author, body }, id) => ({ id, comments: [{ id: 1, content: body, author: { id: author } }] }),
    listOf: (threads) => ({ value: threads }),
    variables: (url, token = TOKEN) => ({
      SYSTEM_COLLECTIONURI: `${url}/org/`,
      SYSTEM_TEAMPROJECT: "my shop",
      BUILD_REPOSITORY_ID: "r1",
      SYSTEM_PULLREQUEST_PULLREQUESTID: "5",
      SYSTEM_ACCESSTOKEN: token,
    }),
  });
