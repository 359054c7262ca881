import type { Environment } from "../read/environment";
import type { Comment, Comments } from "./post";
import { createRequester, ID, listOf, type Requester, required } from "./request";

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

interface Note {
  readonly id: number;
  readonly body?: string | null;
  readonly author?: { readonly id: number } | null;
}

const PER_PAGE = 100;

async function* ownNotes(request: Requester, api: string, url: string): AsyncGenerator<Comment> {
  const self = await request("GET", `${api}/user`, ID);
  for (let page = 1; ; page += 1) {
    const notes = await request("GET", `${url}?per_page=${PER_PAGE}&page=${page}`, listOf<Note>());
    for (const { id, body, author } of notes)
      if (String(author?.id) === self) yield { id: String(id), body: body ?? "" };
    if (notes.length < PER_PAGE) return;
  }
}
