import { CodedError, coded, type ErrorCode, type Message, withSentence } from "../errors";
import type { Api } from "./endpoints";

/** The place that the key came from. */
export interface KeyOrigin {
  /** The place in sentences, such as `CLOUDDB_KEY_ID and CLOUDDB_KEY_SECRET in the environment`. */
  readonly name: string;
  /** True if the state stores the key, which commands without the program then use. */
  readonly isStored: boolean;
}

export interface RequestFacts {
  readonly api: Api;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  /** The time of the last attempt; absent if nothing was sent. */
  readonly sentAt?: number;
  /** The network error's code if there was no response. */
  readonly networkCode?: string;
  readonly keyOrigin?: KeyOrigin | undefined;
  readonly baseUrl?: string;
  /** The variable with the proxy of a request that got no response. */
  readonly proxyVariable?: string;
}

/** The request never reached the server. */
export const UNREACHABLE = "CDB3001";
/** The connection was lost or the request timed out, so the request may have been executed. */
export const INTERRUPTED = "CDB3003";
/** The proxy in a variable is unusable, so nothing was sent. */
export const PROXY_SETTING = "CDB3016";
export const NOT_FOUND = "CDB3404";
/** A proxy requires a login, so the request did not reach the server. */
export const PROXY_LOGIN = "CDB3407";
export const RATE_LIMITED = "CDB3429";

export interface ResponseFacts {
  readonly status: number;
  readonly requestId?: string | undefined;
  /** The target host of a redirect. */
  readonly redirect?: string | undefined;
  /** The code before the API's error text. */
  readonly apiCode?: string | undefined;
  /** The API's error text, cleaned and truncated. */
  readonly text?: string | undefined;
  /** False for a response other than the API's JSON, such as a proxy's page. */
  readonly isApi: boolean;
  /** The requested wait. */
  readonly waitMs?: number | undefined;
}

/** An error of this client. Its message is one sentence with a code and without secrets. */
export class ApiError extends CodedError {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  /** The message without the request. */
  readonly problem: Message;
  readonly request: RequestFacts;
  readonly response: Partial<ResponseFacts>;
  /** True if the server may have executed the request. */
  readonly mayHaveSucceeded: boolean;
  /** The result of a success that does not match the schema; may contain secrets. */
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

/** Marks an API error as following a possible success. Other errors stay unchanged. */
export function asUncertain<Failure>(error: Failure): Failure | ApiError {
  if (!(error instanceof ApiError) || error.mayHaveSucceeded) return error;
  return new ApiError(error.problem, error.request, error.response, true, error.result);
}

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
  // Retries are useless: the server does not support the request.
  501: "CDB3501",
  505: "CDB3501",
  506: "CDB3501",
  510: "CDB3501",
  511: "CDB3511",
  // Cloudflare's status for an invalid certificate of the origin server.
  525: "CDB3501",
  526: "CDB3501",
};

/** With a foreign body, these statuses mean CDB3012. */
const OF_GATEWAYS = new Set([400, 403, 404, 422]);

/** The error for a status other than success. */
export function createStatusError(request: RequestFacts, response: ResponseFacts): ApiError {
  const { status } = response;
  const isApi = status === 404 ? isFromApi(request, response) : response.isApi;
  const isFailure = status === 408 || status >= 500;
  // A server may redirect after a successful write; 499 means that a gateway's client disconnected.
  const mayHaveSucceeded = isFailure || status < 400 || status === 499;
  const refusal = isApi && status >= 400 ? "CDB3400" : "CDB3300";
  const usual = CODES[status] ?? (isFailure ? "CDB3500" : refusal);
  // A refusal by a proxy, a gateway or a wrong address says nothing about the API's objects.
  const code = !isApi && OF_GATEWAYS.has(status) ? "CDB3012" : usual;
  return new ApiError(
    coded(code, describeStatus({ ...response, isApi })),
    request,
    response,
    mayHaveSucceeded,
  );
}

/** Gateways may return JSON too, but without the request id of the management interface. */
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

/** The reason why a wait ended: a deadline or a canceled command. */
export function messageOfEnd({ reason }: AbortSignal): Message {
  return reason instanceof CodedError ? reason.coded : coded("CDB3006", "the command was canceled");
}
