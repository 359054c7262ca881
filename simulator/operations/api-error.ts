import { NotStoredError } from "../state/store";

export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, "BAD_REQUEST", message);
}

export function notFound(message: string): ApiError {
  return new ApiError(404, "NOT_FOUND", message);
}

const CODES: Readonly<Record<number, string>> = {
  400: "BAD_REQUEST",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
};

/** Converts errors of the framework and the store to API errors. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof NotStoredError) {
    return new ApiError(
      500,
      "INTERNAL_ERROR",
      `the change could not be stored and was not made: ${error.reason}`,
    );
  }
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  const code = CODES[statusCode];
  if (code === undefined) return new ApiError(500, "INTERNAL_ERROR", message);
  const hint = "send the body as JSON, with the header Content-Type: application/json";
  return new ApiError(statusCode, code, statusCode === 415 ? hint : message);
}
