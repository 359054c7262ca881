/** A request that the API refuses. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function badRequest(message: string): Problem {
  return new Problem(400, "BAD_REQUEST", message);
}

export function notFound(message: string): Problem {
  return new Problem(404, "NOT_FOUND", message);
}
