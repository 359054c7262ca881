import { type Environment, required } from "./environment";
import type { Comment, Comments } from "./post";
import { request } from "./request";

/** Notes of the merge request of a GitLab pipeline; its job token cannot write them. */
export function gitlabNotes(env: Environment): Comments {
  const [api, project, number, token] = required(env, [
    "CI_API_V4_URL",
    "CI_PROJECT_ID",
    "CI_MERGE_REQUEST_IID",
    "GITLAB_TOKEN",
  ]) as [string, string, string, string];
  const headers = { "private-token": token };
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(number)}/notes`;
  return {
    own: () => ownNotes(api, notes, headers),
    create: async (body) => addressOf(await request("POST", notes, headers, { body }), env),
    update: async (id, body) => addressOf(await request("PUT", `${notes}/${id}`, headers, { body }), env),
  };
}

interface Note {
  readonly id: number;
  readonly body: string;
  readonly author: { readonly id: number };
}

const PER_PAGE = 100;

async function* ownNotes(api: string, url: string, headers: Readonly<Record<string, string>>): AsyncGenerator<Comment> {
  const { id: self } = (await request("GET", `${api}/user`, headers)) as { id: number };
  for (let page = 1; ; page += 1) {
    const notes = (await request("GET", `${url}?per_page=${PER_PAGE}&page=${page}`, headers)) as readonly Note[];
    for (const { id, body, author } of notes) {
      if (author.id === self) yield { id: String(id), body };
    }
    if (notes.length < PER_PAGE) return;
  }
}

function addressOf(note: unknown, { CI_PROJECT_URL = "", CI_MERGE_REQUEST_IID = "" }: Environment): string {
  return `${CI_PROJECT_URL}/-/merge_requests/${CI_MERGE_REQUEST_IID}#note_${(note as Note).id}`;
}
