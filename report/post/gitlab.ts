import type { Environment } from "../read/environment";
import type { Comment, Comments } from "./post";
import { createRequester, ID, listOf, memberOf, type Part, required } from "./request";

/** Notes of the merge request of a GitLab pipeline; its job token cannot write them. */
export function gitlabNotes(env: Environment): Comments {
  const [api, project, number, token] = required(env, [
    "CI_API_V4_URL",
    "CI_PROJECT_ID",
    "CI_MERGE_REQUEST_IID",
    "GITLAB_TOKEN",
  ]) as [string, string, string, string];
  const request = createRequester({ secrets: [token], headers: { "private-token": token } });
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(number)}/notes`;
  const addressOf = (note: string) => `${env.CI_PROJECT_URL ?? ""}/-/merge_requests/${number}#note_${note}`;
  return {
    own: () => ownNotes(request, api, notes),
    create: async (body) => addressOf(await request("POST", notes, ID, { body })),
    update: async (id, body) => addressOf(await request("PUT", `${notes}/${id}`, ID, { body })),
  };
}

/** Issues of the project of a GitLab pipeline with this title. */
export function gitlabIssues(env: Environment, title: string): Comments {
  const [api, project, token] = required(env, ["CI_API_V4_URL", "CI_PROJECT_ID", "GITLAB_TOKEN"]) as [
    string,
    string,
    string,
  ];
  const request = createRequester({
    secrets: [token],
    headers: { "private-token": token },
    doubt: "The issue or its comment may exist; the next run uses the same issue.",
  });
  const issues = `${api}/projects/${encodeURIComponent(project)}/issues`;
  const addressOf = (issue: string) => `${env.CI_PROJECT_URL ?? ""}/-/issues/${issue}`;
  const change = async (id: string, body: object) => addressOf(await request("PUT", `${issues}/${id}`, IID, body));
  return {
    async *own() {
      const self = await request("GET", `${api}/user`, ID);
      const filter = `author_id=${self}&in=title&search=${encodeURIComponent(title)}&order_by=updated_at&sort=desc`;
      for (const state of ["opened", "closed"]) {
        for await (const { iid, title: name, description, author } of allOf<Issue>(
          request,
          `${issues}?state=${state}&${filter}`,
        )) {
          if (name !== title || String(author?.id) !== self) continue;
          yield { id: String(iid), body: description ?? "", isClosed: state === "closed" };
        }
      }
    },
    create: async (description) => addressOf(await request("POST", issues, IID, { title, description })),
    update: (id, description) => change(id, { description }),
    issue: {
      comment: (id, body) => request("POST", `${issues}/${id}/notes`, ID, { body }),
      close: (id) => change(id, { state_event: "close" }),
      reopen: (id, description) => change(id, { description, state_event: "reopen" }),
    },
  };
}

interface Issue {
  readonly iid: number;
  readonly title: string;
  readonly description?: string | null;
  readonly author?: { readonly id: number } | null;
}

const IID: Part<string> = { name: "a number", in: (json) => ID.in({ id: memberOf(json, "iid") }) };

interface Note {
  readonly id: number;
  readonly body?: string | null;
  readonly author?: { readonly id: number } | null;
}

async function* ownNotes(request: Requester, api: string, url: string): AsyncGenerator<Comment> {
  const self = await request("GET", `${api}/user`, ID);
  for await (const { id, body, author } of allOf<Note>(request, `${url}?`)) {
    if (String(author?.id) === self) yield { id: String(id), body: body ?? "" };
  }
}

type Requester = ReturnType<typeof createRequester>;
const PER_PAGE = 100;

/** Every item, page by page. */
async function* allOf<Item>(request: Requester, url: string): AsyncGenerator<Item> {
  for (let page = 1; ; page += 1) {
    const items = await request("GET", `${url}&per_page=${PER_PAGE}&page=${page}`, listOf<Item>());
    yield* items;
    if (items.length < PER_PAGE) return;
  }
}
