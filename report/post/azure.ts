import type { Environment } from "../read/environment";
import type { Comment, Comments } from "./post";
import { createRequester, ID, listOf, memberOf, type Part, type Requester, required } from "./request";

/** Comment threads of the pull request of an Azure DevOps pipeline. */
export function azureThreads(env: Environment): Comments {
  const [collection, project, repository, number, token] = required(env, [
    "SYSTEM_COLLECTIONURI",
    "SYSTEM_TEAMPROJECT",
    "BUILD_REPOSITORY_ID",
    "SYSTEM_PULLREQUEST_PULLREQUESTID",
    "SYSTEM_ACCESSTOKEN",
  ]) as [string, string, string, string, string];
  const request = createRequester({ secrets: [token], headers: { authorization: `Bearer ${token}` } });
  const base = collection.replace(/\/?$/, "/");
  const [where, id] = [`${encodeURIComponent(project)}/_apis/git/repositories`, encodeURIComponent(repository)];
  const threads = `${base}${where}/${id}/pullRequests/${encodeURIComponent(number)}/threads`;
  const address = `${base}${encodeURIComponent(project)}/_git/${id}/pullrequest/${encodeURIComponent(number)}`;
  return {
    own: () => ownComments(request, base, threads),
    create: async (content) => {
      const comments = [{ parentCommentId: 0, content, commentType: "text" }];
      // The thread is closed, so that it does not block a merge.
      await request("POST", threads + VERSION, ID, { comments, status: "closed" });
      return address;
    },
    update: async (place, content) => {
      await request("PATCH", `${threads}/${place}${VERSION}`, ID, { content });
      return address;
    },
  };
}

const VERSION = "?api-version=7.1";

interface Thread {
  readonly id: number;
  readonly comments?: readonly { readonly id: number; readonly content?: string; readonly author?: { id: string } }[];
}

const ACCOUNT: Part<string> = {
  name: "an account",
  in: (json) => ID.in(memberOf(json, "authenticatedUser")),
};
const THREADS: Part<readonly Thread[]> = {
  name: "a list",
  in: (json) => listOf<Thread>().in(memberOf(json, "value")),
};

async function* ownComments(request: Requester, base: string, threads: string): AsyncGenerator<Comment> {
  const self = await request("GET", `${base}_apis/connectionData`, ACCOUNT);
  for (const thread of await request("GET", threads + VERSION, THREADS)) {
    const [comment] = thread.comments ?? [];
    if (comment?.author?.id === self) {
      yield { id: `${thread.id}/comments/${comment.id}`, body: comment.content ?? "" };
    }
  }
}
