import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { text } from "node:stream/consumers";
import { serve } from "../../../support/local-server";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  /** A text is sent as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A handler of Node's servers. */
export function answering(answer: (asked: Asked) => Answer) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", headers: sent } = request;
    const { pathname: path, searchParams: query } = new URL(request.url ?? "", "http://localhost");
    const asked = {
      method,
      path,
      query,
      headers: sent,
      body: JSON.parse((await text(request)) || "{}"),
    };
    const { status, body, headers = {} } = answer(asked);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Starts a stand-in for an API; returns its address. */
export async function serving(answer: (asked: Asked) => Answer): Promise<string> {
  return `http://127.0.0.1:${await serve(createServer(answering(answer)))}`;
}

export const TOKEN = "canary-token";

interface Comment {
  readonly author: string;
  body: string;
}

/** A service that `post` uses, with the comments of one merge or pull request. */
interface Place {
  readonly name: "github" | "gitlab" | "azure";
  /** The account of the token. */
  readonly self: string;
  /** The header with the token. */
  readonly header: readonly [name: string, value: string];
  /** The request for the account, and its response. */
  readonly account: readonly [path: string, body: object];
  readonly list: string;
  /** The address of a comment by its number, from 1 on. */
  readonly own: RegExp;
  /** A part of a comment's address for people. */
  readonly address: string;
  readonly textIn: (body: Asked["body"]) => unknown;
  readonly commentOf: (comment: Comment, id: number) => object;
  readonly listOf: (comments: readonly object[], query: URLSearchParams) => unknown;
  readonly variables: (url: string) => Record<string, string>;
}

export type CommentServer = ReturnType<typeof serverOf>;

function serverOf(place: Place) {
  const { self, header, list, own, account, textIn, commentOf, listOf } = place;
  return {
    ...place,
    asked: [] as Asked[],
    comments: [] as Comment[],
    /** An answer instead of the server's own; undefined for the server's own. */
    fault: (_: Asked): Answer | undefined => undefined,
    answer({ method: sent, ...request }: Asked): Answer {
      const { path, query, headers, body } = request;
      // A query is sent as a POST and creates nothing.
      const method = path === "/graphql" ? "GET" : sent;
      this.asked.push({ ...request, method });
      if (headers[header[0]] !== header[1])
        return { status: 401, body: { message: "401 Unauthorized" } };
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
      const isOne = ["PUT", "PATCH", "DELETE"].includes(method);
      const current = isOne ? this.comments[number - 1] : undefined;
      if (current?.author !== self)
        return { status: current ? 403 : 404, body: { message: "Not Found" } };
      if (method === "DELETE") {
        this.comments.splice(number - 1, 1);
        return { status: 204, body: "" };
      }
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

const PULL = "https://github.example/shop/pull/5#issuecomment-";

export const githubServer = () =>
  serverOf({
    name: "github",
    self: "github-actions[bot]",
    header: ["authorization", `Bearer ${TOKEN}`],
    account: ["/graphql", { data: { viewer: { login: "github-actions[bot]" } } }],
    list: "/repos/acme/shop/issues/5/comments",
    own: /^\/repos\/acme\/shop\/issues\/comments\/(\d+)$/,
    address: PULL,
    textIn: ({ body }) => body,
    commentOf: ({ author, body }, id) => ({
      id,
      html_url: `${PULL}${id}`,
      body,
      user: { login: author },
    }),
    listOf: pageOf,
    variables: (url) => ({
      GITHUB_API_URL: url,
      GITHUB_GRAPHQL_URL: `${url}/graphql`,
      GITHUB_REPOSITORY: "acme/shop",
      PULL_REQUEST: "5",
      GITHUB_TOKEN: TOKEN,
    }),
  });

export const gitlabServer = () =>
  serverOf({
    name: "gitlab",
    self: "7",
    header: ["private-token", TOKEN],
    account: ["/user", { id: 7 }],
    list: "/projects/3/merge_requests/5/notes",
    own: /^\/projects\/3\/merge_requests\/5\/notes\/(\d+)$/,
    address: "https://gitlab.example/shop/-/merge_requests/5#note_",
    textIn: ({ body }) => body,
    commentOf: ({ author, body }, id) => ({ id, body, author: { id: Number(author) } }),
    listOf: pageOf,
    variables: (url) => ({
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "3",
      CI_PROJECT_URL: "https://gitlab.example/shop",
      CI_MERGE_REQUEST_IID: "5",
      GITLAB_TOKEN: TOKEN,
    }),
  });

export const azureServer = () =>
  serverOf({
    name: "azure",
    self: "me",
    header: ["authorization", `Bearer ${TOKEN}`],
    account: ["/org/_apis/connectionData", { authenticatedUser: { id: "me" } }],
    list: "/org/my%20shop/_apis/git/repositories/r1/pullRequests/5/threads",
    own: /\/threads\/(\d+)\/comments\/1$/,
    address: "/org/my%20shop/_git/r1/pullrequest/5",
    textIn: ({ content, comments = [{ content }] }) =>
      (comments as readonly { content: unknown }[])[0]?.content,
    commentOf: ({ author, body }, id) => ({
      id,
      comments: [{ id: 1, content: body, author: { id: author } }],
    }),
    listOf: (threads) => ({ value: threads }),
    variables: (url) => ({
      SYSTEM_COLLECTIONURI: `${url}/org/`,
      SYSTEM_TEAMPROJECT: "my shop",
      BUILD_REPOSITORY_ID: "r1",
      SYSTEM_PULLREQUEST_PULLREQUESTID: "5",
      SYSTEM_ACCESSTOKEN: TOKEN,
    }),
  });

export const SERVERS = { GitHub: githubServer, GitLab: gitlabServer, "Azure DevOps": azureServer };
