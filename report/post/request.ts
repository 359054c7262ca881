/** One JSON request, retried after rate limits and server errors. */
export async function request(
  method: "GET" | "POST" | "PUT" | "PATCH",
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      signal: AbortSignal.timeout(60_000),
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response.json();
    // A failed POST may still have created a comment, so it is not retried.
    const mayRepeat = response.status === 429 || (response.status >= 500 && method !== "POST");
    if (!mayRepeat || attempt === ATTEMPTS) {
      const text = (await response.text()).replace(/\s+/g, " ").slice(0, 300);
      throw new FailedRequest(`${method} ${new URL(url).pathname} failed with ${response.status}: ${text}`);
    }
    const seconds = Number(response.headers.get("retry-after") ?? attempt);
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds || 0, LONGEST_WAIT) * 1000));
  }
}

export class FailedRequest extends Error {}

const ATTEMPTS = 5;
const LONGEST_WAIT = 60;
