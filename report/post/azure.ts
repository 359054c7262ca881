import { type Environment, required } from "./environment";
import type { Comment, Comments } from "./post";
import { request } from "./request";

/** Comment threads of the pull request of an Azure DevOps pipeline. */
export function azureThreads(env: Environment): Comments {
  const [collection, project, repository, number, token] = required(env, [
    "SYSTEM_COLLECTIONURI",
    "SYSTEM_TEAMPROJECT",
    "BUILD_REPOSITORY_ID",
    "SYSTEM_PULLREQUEST_PULLREQUESTID",
    "SYSTEM_ACCESSTOKEN",
  ]) as [string, string, string, string, string];
  const headers = { authorization: `Bearer ${token}` };
  const base = collection.replace(/\/?$/, "/");
  const [where, id] = [`${encodeURIComponent(project)}/_apis/git/repositories`, encodeURIComponent(repository)];
  const threads = `${base}${where}/${id}/pullRequests/${encodeURIComponent(number)}/threads`;
  const address = `${base}${encodeURIComponent(project)}/_git/${id}/pullrequest/${encodeURIComponent(number)}`;
  return {
    own: () => ownComments(base, threads, headers),
    create: async (content) => {
      const comments = [{ parentCommentId: 0, content, commentType: "text" }];
      // The thread is closed, so that it does not block a merge.
      await request("POST", threads + VERSION, headers, { comments, status: "closed" });
      return address;
    },
    update: async (place, content) => {
      await request("PATCH", `${threads}/${place}${VERSION}`, headers, { content });
      return address;
    },
  };
}

const VERSION = "?api-version=7.1";

interface Thread {
  readonly id: number;
  readonly comments?: readonly { readonly id: number; readonly content?: string; readonly author?: { id: string } }[];
}

async function* ownComments(
  base: string,
  threads: string,
  headers: Readonly<Record<string, string>>,
): AsyncGenerator<Comment> {
  const { authenticatedUser } = (await request("GET", `${base}_apis/connectionData`, headers)) as {
    authenticatedUser: { id: string };
  };
  const { value } = (await request("GET", threads + VERSION, headers)) as { value: readonly Thread[] };
  for (const thread of value) {
    const [comment] = thread.comments ?? [];
    if (comment?.author?.id === authenticatedUser.id) {
      yield { id: `${thread.id}/comments/${comment.id}`, body: comment.content ?? "" };
    }
  }
}
