import { CodedError, coded, type ErrorCode, type Message, withSentence } from "../errors";
import type { KeyOrigin } from "./http";
import type { Api } from "./operations";

/** Facts about a failed request. */
export interface RequestFacts {
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  /** When the last attempt was sent; absent where none was. */
  readonly sentAt?: number;
  /** The code of a failure without a response. */
  readonly networkCode?: string;
  readonly keyOrigin?: KeyOrigin | undefined;
}

/** The contents of an error response. */
export interface ResponseFacts {
  readonly status: number;
  readonly requestId?: string | undefined;
  /** The host to which it redirects. */
  readonly redirect?: string | undefined;
  /** The code in front of the API's own error text. */
  readonly apiCode?: string | undefined;
  /** The API's own text, cleaned and cut. */
  readonly text?: string | undefined;
  /** False for a response that does not look like the API's JSON, such as a proxy's page. */
  readonly isApi: boolean;
  /** The wait that the response requests. */
  readonly waitMs?: number | undefined;
}

/** The root of all errors of this client. `message` is one sentence with its code; it never holds a secret. */
export class ApiError extends CodedError {
  override readonly name: string = "ApiError";
  readonly code: ErrorCode;
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  readonly sentAt: number | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The API's own code. */
  readonly apiCode: string | undefined;
  readonly networkCode: string | undefined;
  readonly keyOrigin: KeyOrigin | undefined;
  /** True where the server may still have carried out the request. */
  readonly mayHaveSucceeded: boolean = false;

  constructor(
    message: Message,
    request: RequestFacts,
    response?: Pick<ResponseFacts, "status" | "requestId" | "apiCode">,
  ) {
    const attempts = request.attempts > 1 ? `, after ${request.attempts} attempts` : "";
    const id = response?.requestId === undefined ? "" : `, request id ${response.requestId}`;
    super(withSentence(message, `(${request.method} ${request.path}${id}${attempts})`));
    this.code = message.code;
    this.api = request.api;
    this.method = request.method;
    this.path = request.path;
    this.attempts = request.attempts;
    this.sentAt = request.sentAt;
    this.status = response?.status;
    this.requestId = response?.requestId;
    this.apiCode = response?.apiCode;
    this.networkCode = request.networkCode;
    this.keyOrigin = request.keyOrigin;
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

/** The connection was lost or the request timed out: the server may have carried out the request. */
export class InterruptedError extends ApiError {
  override readonly name = "InterruptedError";
  override readonly mayHaveSucceeded = true;
}

/** The response reports success and cannot be used: invalid JSON, another shape, or another object's id. */
export class InvalidResponseError extends ApiError {
  override readonly name = "InvalidResponseError";
  override readonly mayHaveSucceeded = true;
}

/** The Pulumi engine has exited: nothing was sent, since nobody would store what it does. */
export class EngineGoneError extends ApiError {
  override readonly name = "EngineGoneError";
}

/** The command was canceled, or the time of its operation ended, while the request waited for its first or next attempt. */
export class CanceledError extends ApiError {
  override readonly name = "CanceledError";
}

/** The API returned an error status. */
export class StatusError extends ApiError {
  static readonly code: ErrorCode = "CDB3300";
  override readonly name: string = "StatusError";
  /** The wait that the response requests, if any. */
  readonly waitMs: number | undefined;

  constructor(request: RequestFacts, response: ResponseFacts) {
    super(coded(new.target.code, describeStatus(response)), request, response);
    this.waitMs = response.waitMs;
  }
}

export class BadRequestError extends StatusError {
  static override readonly code = "CDB3400";
  override readonly name = "BadRequestError";
}
export class AuthenticationError extends StatusError {
  static override readonly code = "CDB3401";
  override readonly name = "AuthenticationError";
}
export class PermissionError extends StatusError {
  static override readonly code = "CDB3403";
  override readonly name = "PermissionError";
}
export class NotFoundError extends StatusError {
  static override readonly code = "CDB3404";
  override readonly name = "NotFoundError";
}
export class NotReadyError extends StatusError {
  static override readonly code = "CDB3409";
  override readonly name = "NotReadyError";
}
export class RateLimitError extends StatusError {
  static override readonly code = "CDB3429";
  override readonly name = "RateLimitError";
}
export class ServerError extends StatusError {
  static override readonly code: ErrorCode = "CDB3500";
  override readonly name = "ServerError";
  override readonly mayHaveSucceeded = true;
}

/** The server does not do such a thing at all, or has no valid certificate behind it: the same request fails again. */
class UnsupportedError extends ServerError {
  static override readonly code = "CDB3501";
}
/** A network that asks for a login first. */
class NetworkLoginError extends ServerError {
  static override readonly code = "CDB3511";
}
class ProxyLoginError extends StatusError {
  static override readonly code = "CDB3407";
}
class TooLargeError extends StatusError {
  static override readonly code = "CDB3413";
}
class HeadersTooLargeError extends StatusError {
  static override readonly code = "CDB3431";
}

/** A refusal of a proxy, a gateway or a wrong address, which says nothing about the API's objects. */
export class UnexpectedResponseError extends StatusError {
  static override readonly code = "CDB3012";
  override readonly name = "UnexpectedResponseError";
}

const BY_STATUS: Readonly<Record<number, new (request: RequestFacts, response: ResponseFacts) => StatusError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  407: ProxyLoginError,
  409: NotReadyError,
  413: TooLargeError,
  422: BadRequestError,
  423: NotReadyError,
  424: NotReadyError,
  425: NotReadyError,
  429: RateLimitError,
  431: HeadersTooLargeError,
  501: UnsupportedError,
  505: UnsupportedError,
  506: UnsupportedError,
  510: UnsupportedError,
  511: NetworkLoginError,
  // Cloudflare's, about certificates of the server behind it.
  525: UnsupportedError,
  526: UnsupportedError,
};

/** Statuses that say something else without a body of the API. */
const OF_GATEWAYS = new Set([400, 403, 422]);

/** The error for a response whose status is not a success. */
export function createStatusError(request: RequestFacts, response: ResponseFacts): StatusError {
  const { status, isApi } = response;
  if (status === 404 && !isFromApi(request, response)) {
    return new UnexpectedResponseError(request, { ...response, isApi: false });
  }
  if (!isApi && OF_GATEWAYS.has(status)) return new UnexpectedResponseError(request, response);
  const refusal = isApi && status >= 400 ? BadRequestError : StatusError;
  const usual = status === 408 || status >= 500 ? ServerError : refusal;
  return new (BY_STATUS[status] ?? usual)(request, response);
}

/** Gateways return JSON, too, but without the request id of the management interface. */
function isFromApi(request: RequestFacts, { requestId, isApi }: ResponseFacts): boolean {
  return request.api === "management" ? requestId !== undefined : isApi;
}

function describeStatus({ status, apiCode, text, isApi, waitMs, redirect }: ResponseFacts): string {
  const reason = [apiCode, text].filter((part) => part !== undefined).join(": ");
  const target = redirect === undefined ? "" : `, a redirect to ${redirect},`;
  const wait = waitMs ? ` and asked to wait ${Math.ceil(waitMs / 1000)} s` : target;
  if (isApi) return `the API returned ${status}${wait}${reason && `, ${reason}`}`;
  return `the server returned ${status}${wait} with a body that is not from the API${reason && `: ${reason}`}`;
}
