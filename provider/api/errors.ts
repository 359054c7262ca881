import type { Api } from "./operations";

/** Where a failed request was going, and how it went there. */
export interface RequestFacts {
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  /** When the last attempt was sent; absent where none was. */
  readonly sentAt?: number;
}

/** What an error answer said. */
export interface ResponseFacts {
  readonly status: number;
  readonly requestId?: string | undefined;
  /** The code in front of the API's own error text. */
  readonly code?: string | undefined;
  /** The API's own text, cleaned and cut. */
  readonly text?: string | undefined;
  /** False for an answer that does not look like the API's JSON, as a proxy's page. */
  readonly isApi: boolean;
  /** How long the answer asks to wait. */
  readonly retryDelayMs?: number | undefined;
}

/** The root of all errors of this client. `message` is one sentence; it never holds a secret. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  readonly sentAt: number | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly code: string | undefined;
  /** True where the server may have carried the request out all the same. */
  readonly mayHaveSucceeded: boolean = false;

  constructor(message: string, request: RequestFacts, answer?: Pick<ResponseFacts, "status" | "requestId" | "code">) {
    const tries = request.attempts > 1 ? `, after ${request.attempts} attempts` : "";
    const id = answer?.requestId === undefined ? "" : `, request id ${answer.requestId}`;
    super(`${message} (${request.method} ${request.path}${id}${tries})`);
    this.api = request.api;
    this.method = request.method;
    this.path = request.path;
    this.attempts = request.attempts;
    this.sentAt = request.sentAt;
    this.status = answer?.status;
    this.requestId = answer?.requestId;
    this.code = answer?.code;
  }
}

/** The request never reached the server. */
export class UnreachableError extends ApiError {
  override readonly name: string = "UnreachableError";
}

/** The server is not who it should be; nothing was sent to it. */
export class UntrustedServerError extends UnreachableError {
  override readonly name = "UntrustedServerError";
}

/** The connection broke, or no answer came in time: the server may have carried the request out. */
export class InterruptedError extends ApiError {
  override readonly name = "InterruptedError";
  override readonly mayHaveSucceeded = true;
}

/** The answer said success and cannot be used: no JSON, another shape, or another object's id. */
export class InvalidResponseError extends ApiError {
  override readonly name = "UnusableAnswerError";
  override readonly mayHaveSucceeded = true;
}

/** The engine that asked for it is gone: nothing was sent, since nobody would store what it does. */
export class EngineGoneError extends ApiError {
  override readonly name = "DesertedError";
}

/** The API answered with an error status. */
export class StatusError extends ApiError {
  override readonly name: string = "StatusError";
  /** How long the answer asked to wait, if it did. */
  readonly waitMs: number | undefined;

  constructor(request: RequestFacts, answer: ResponseFacts) {
    super(statusSentence(answer), request, answer);
    this.waitMs = answer.retryDelayMs;
  }
}

export class BadRequestError extends StatusError {
  override readonly name = "BadRequestError";
}
export class AuthenticationError extends StatusError {
  override readonly name = "AuthenticationError";
}
export class PermissionError extends StatusError {
  override readonly name = "PermissionError";
}
export class NotFoundError extends StatusError {
  override readonly name = "NotFoundError";
}
export class NotReadyError extends StatusError {
  override readonly name = "NotReadyError";
}
export class RateLimitError extends StatusError {
  override readonly name = "RateLimitError";
}
export class ServerError extends StatusError {
  override readonly name = "ServerError";
  override readonly mayHaveSucceeded = true;
}

/** A 404 of a proxy, a gateway or a wrong address, which says nothing about the API's objects. */
export class UnexpectedResponseError extends StatusError {
  override readonly name = "ForeignAnswerError";
}

const BY_STATUS: Readonly<Record<number, new (request: RequestFacts, answer: ResponseFacts) => StatusError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: NotReadyError,
  422: BadRequestError,
  423: NotReadyError,
  424: NotReadyError,
  425: NotReadyError,
  429: RateLimitError,
};

/** The error for an answer whose status is no success. */
export function createStatusError(request: RequestFacts, answer: ResponseFacts): StatusError {
  if (answer.status === 404 && !isOwn(request, answer)) {
    return new UnexpectedResponseError(request, { ...answer, isApi: false });
  }
  if (answer.status === 408 || answer.status >= 500) return new ServerError(request, answer);
  return new (BY_STATUS[answer.status] ?? StatusError)(request, answer);
}

/** Gateways answer in JSON, too, but without the request id that the management interface gives. */
function isOwn(request: RequestFacts, { requestId, isApi }: ResponseFacts): boolean {
  return request.api === "management" ? requestId !== undefined : isApi;
}

function statusSentence({ status, code, text, isApi, retryDelayMs }: ResponseFacts): string {
  const said = [code, text].filter((part) => part !== undefined).join(": ");
  const wait = retryDelayMs ? ` and asked to wait ${Math.ceil(retryDelayMs / 1000)} s` : "";
  if (isApi) return `the API answered ${status}${wait}${said && `, ${said}`}`;
  return `the server answered ${status}${wait} with a body that is not the API's${said && `: ${said}`}`;
}
