import { CodedError, coded, type ErrorCode, type Message, withSentence } from "../errors";
import type { Api } from "./endpoints";
import type { KeyOrigin } from "./http";

/** Facts about a failed request. */
export interface RequestFacts {
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  /** When the last attempt was sent; absent if nothing was sent. */
  readonly sentAt?: number;
  /** The code of a failure without a response. */
  readonly networkCode?: string;
  readonly keyOrigin?: KeyOrigin | undefined;
  readonly baseUrl?: string;
  /** The variable that names the proxy of a request without a response. */
  readonly proxyVariable?: string;
}

/** The request never reached the server. */
export const UNREACHABLE = "CDB3001";
/**
 * The connection was lost or the request timed out: the server may have carried out the request.
 */
export const INTERRUPTED = "CDB3003";
/** The proxy that a variable names cannot be used: the request was not sent. */
export const PROXY_SETTING = "CDB3016";
/** The API has no such object. */
export const NOT_FOUND = "CDB3404";
/** A proxy requires a user name and a password: the request did not reach the server. */
export const PROXY_LOGIN = "CDB3407";
export const RATE_LIMITED = "CDB3429";

/** The contents of an error response. */
export interface ResponseFacts {
  readonly status: number;
  readonly requestId?: string | undefined;
  /** The host to which the response redirects. */
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

/** An error of this client. `message` is one sentence with its code; it never holds a secret. */
export class ApiError extends CodedError {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  /** The message without the request. */
  readonly problem: Message;
  readonly request: RequestFacts;
  readonly response: Partial<ResponseFacts>;
  /** True where the server may still have carried out the request. */
  readonly mayHaveSucceeded: boolean;
  /** The result of a success that is not as documented; it may hold secrets. */
  readonly result: unknown;

  constructor(
    message: Message,
    request: RequestFacts,
    response: Partial<ResponseFacts> = {},
    mayHaveSucceeded = false,
    result?: unknown,
  ) {
    const attempts = request.attempts > 1 ? `, after ${request.attempts} attempts` : "";
    const id = response.requestId === undefined ? "" : `, request id ${response.requestId}`;
    super(withSentence(message, `(${request.method} ${request.path}${id}${attempts})`));
    this.code = message.code;
    this.problem = message;
    this.request = request;
    this.response = response;
    this.mayHaveSucceeded = mayHaveSucceeded;
    this.result = result;
  }
}

/**
 * Marks an API error that follows a request that may have succeeded. Other errors stay the same.
 */
export function asUncertain<Failure>(error: Failure): Failure | ApiError {
  if (!(error instanceof ApiError) || error.mayHaveSucceeded) return error;
  return new ApiError(error.problem, error.request, error.response, true, error.result);
}

/** Statuses with a code of their own. */
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: "CDB3400",
  401: "CDB3401",
  403: "CDB3403",
  404: "CDB3404",
  407: PROXY_LOGIN,
  409: "CDB3409",
  413: "CDB3413",
  422: "CDB3400",
  423: "CDB3409",
  424: "CDB3424",
  425: "CDB3409",
  429: "CDB3429",
  431: "CDB3431",
  // A retry fails too: the server does not support the request.
  501: "CDB3501",
  505: "CDB3501",
  506: "CDB3501",
  510: "CDB3501",
  511: "CDB3511",
  // Cloudflare's status for an invalid certificate of the server behind it.
  525: "CDB3501",
  526: "CDB3501",
};

/** Statuses that mean CDB3012 if the body is not the API's. */
const OF_GATEWAYS = new Set([400, 403, 404, 422]);

/** The error for a response whose status is not a success. */
export function createStatusError(request: RequestFacts, response: ResponseFacts): ApiError {
  const { status } = response;
  const isApi = status === 404 ? isFromApi(request, response) : response.isApi;
  const isFailure = status === 408 || status >= 500;
  // A server may redirect after a write that succeeded; 499 means that a gateway's client
  // disconnected.
  const mayHaveSucceeded = isFailure || status < 400 || status === 499;
  const refusal = isApi && status >= 400 ? "CDB3400" : "CDB3300";
  const usual = CODES[status] ?? (isFailure ? "CDB3500" : refusal);
  // A refusal of a proxy, a gateway or a wrong address says nothing about the API's objects.
  const code = !isApi && OF_GATEWAYS.has(status) ? "CDB3012" : usual;
  return new ApiError(
    coded(code, describeStatus({ ...response, isApi })),
    request,
    response,
    mayHaveSucceeded,
  );
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
  const answer = `the server returned ${status}${wait} with a body that is not from the API`;
  return reason === "" ? answer : `${answer}: ${reason}`;
}

/** The reason why waits have ended: a deadline, or the canceled command. */
export function messageOfEnd({ reason }: AbortSignal): Message {
  return reason instanceof CodedError ? reason.coded : coded("CDB3006", "the command was canceled");
}
