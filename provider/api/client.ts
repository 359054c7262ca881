import { coded, type Message } from "../errors";
import {
  ApiError,
  EngineGoneError,
  InterruptedError,
  RateLimitError,
  type RequestFacts,
  StatusError,
  UnreachableError,
  UntrustedServerError,
} from "./errors";
import { type ClientSettings, httpFor } from "./http";
import { learnedQuota } from "./learned-limit";
import type { Operation } from "./operations";
import {
  type Clock,
  createRateLimiter,
  LOG_INTERVAL_MS,
  MIN_LOGGED_WAIT_MS,
  type Permit,
  type RateLimiter,
} from "./rate-limiter";
import { parseResponse } from "./response";
import { decideRetry, type Failure, type Idempotency, type Retry } from "./retry";
import { type ApiRequest, type Body, type Outcome, type PathParameters, sendOnce } from "./send";
import { canceledError, type WaitLimits } from "./wait-limits";

/** A client's dependencies on its process. */
export interface Dependencies extends Pick<WaitLimits, "cancellation"> {
  readonly clock: Clock;
  readonly random: () => number;
  /** Show the user one line. */
  readonly log: (line: Message) => void;
  /** Show one line to a user who asks for debug messages. */
  readonly debug?: (line: Message) => void;
  /** Redact known secrets, which a server may echo. */
  readonly redact: (text: string) => string;
  /** True while the engine is running to store the result of a write. Default: always. */
  readonly isEngineAlive?: (() => Promise<boolean>) | undefined;
  /** Paces the requests; without one, the client does it by itself. */
  readonly rateLimiter?: RateLimiter;
}

export interface CallOptions extends WaitLimits {
  readonly body?: Body;
  /** The effect of repeating a write. Reads can always be repeated. */
  readonly idempotency?: Idempotency;
  /** True where the operation has changed something that is not stored yet: it goes before others, begins no wait of more than a minute, and is not canceled. */
  readonly isUrgent?: boolean;
  readonly inFlight?: InFlight;
}

/** Callbacks around each attempt of a write that must not be lost. */
export interface InFlight {
  /** Right before it is sent; nothing is sent if this fails. */
  readonly begin: () => Promise<void>;
  /** After it has certainly done nothing. */
  readonly end: () => Promise<void>;
}

interface RepeatableOptions extends CallOptions {
  /** Read the effect of an earlier attempt, and return the changes that are left to send, if any. */
  readonly readFirst: () => Promise<Body | undefined>;
}

export interface Client {
  readonly call: <Result>(
    operation: Operation<Result>,
    parameters: PathParameters,
    options?: CallOptions,
  ) => Promise<Result>;
  /** The result of a request that is not repeated before its effect has been read; undefined if nothing was left to send. */
  readonly callUnlessDone: <Result>(
    operation: Operation<Result>,
    parameters: PathParameters,
    options: RepeatableOptions,
  ) => Promise<Result | undefined>;
}

const MAX_RATE_LIMIT_WAIT_MS = 10 * 60_000;
const MAX_URGENT_WAIT_MS = 60_000;

/** A call and its progress. */
interface CallState {
  readonly operation: Operation;
  readonly path: string;
  readonly options: CallOptions;
  readonly startedAt: number;
  attempts: number;
  /** Failed attempts that the rate limit did not refuse. */
  failures: number;
  /** The time that the call has waited for permits. */
  waitedMs: number;
  /** The refusal that is being waited out, and how long such waits took since the last other response. */
  refusal: RateLimitError | undefined;
  refusedMs: number;
  /** The status or the network's code of the last attempt. */
  lastFailure: number | string | undefined;
  /** Stays true once an attempt may have succeeded. */
  mayHaveSucceeded: boolean;
}

export function createClient(settings: ClientSettings, dependencies: Dependencies): Client {
  const { clock, random, log, debug, redact, cancellation, isEngineAlive = async () => true } = dependencies;
  const { rateLimiter = createRateLimiter(clock, log, learnedQuota(clock)) } = dependencies;
  const http = httpFor(settings);
  let loggedUntil = Number.NEGATIVE_INFINITY;

  /** Many requests may have to wait at once: one line is enough. */
  function logWait({ status = 0 }: ApiError, waitMs: number): void {
    if (clock.now() < loggedUntil) return;
    loggedUntil = clock.now() + waitMs;
    log(
      coded(
        "CDB3008",
        `The API returned ${status} and asked to wait ${Math.ceil(waitMs / 1000)} s before the next attempt.`,
      ),
    );
  }

  /** Says that nothing works at the moment, once for all requests: the first retry has failed, too. */
  function logRetries(error: ApiError): void {
    if (clock.now() < loggedUntil) return;
    loggedUntil = clock.now() + LOG_INTERVAL_MS;
    log(coded("CDB3004", `Retrying: ${redact(error.coded.text)}.`));
  }

  /** Waits for the rate limit, and fails where that would take too long. */
  async function acquirePermit(call: CallState): Promise<Permit> {
    const longestMs = isUrgent(call) ? MAX_URGENT_WAIT_MS : MAX_RATE_LIMIT_WAIT_MS;
    const signal = endOfWaits(call);
    const options = {
      since: call.startedAt,
      maxWaitMs: longestMs - call.refusedMs,
      isUrgent: isUrgent(call),
      cancellation: signal,
    };
    const permit = await rateLimiter.acquire(options);
    if (permit === undefined) {
      if (signal?.aborted) throw failed(call, canceledError(signal, call.lastFailure, factsOf(call)));
      throw failed(call, call.refusal ?? rateLimitWaitTooLong(factsOf(call), longestMs));
    }
    call.waitedMs += permit.waitedMs;
    if (call.refusal !== undefined) call.refusedMs += permit.waitedMs;
    return permit;
  }

  function endOfWaits(call: CallState): AbortSignal | undefined {
    return isUrgent(call) ? call.options.deadline : (call.options.cancellation ?? cancellation);
  }

  /** Sends what a permit allows: nothing where nobody is left who would store what a write does. */
  async function attempt<Result>(
    request: ApiRequest<Result>,
    permit: Permit,
    { options: { inFlight } }: CallState,
  ): Promise<Outcome<Result>> {
    try {
      if (request.operation.method !== "GET" && !(await isEngineAlive())) {
        permit.release(false);
        return new EngineGoneError(
          coded("CDB3005", "the Pulumi engine has exited, so the request was not sent"),
          request.facts,
        );
      }
      await inFlight?.begin();
      const sentAt = clock.now();
      const outcome = await sendOnce(http, request, (raw) => parseResponse(raw, clock.now(), redact));
      debug?.(describeRequest(request.facts, outcome, clock.now() - sentAt));
      if (outcome instanceof ApiError && !outcome.mayHaveSucceeded) await inFlight?.end();
      if (outcome instanceof RateLimitError) permit.reportRefusal(outcome.waitMs);
      return outcome;
    } finally {
      permit.release();
    }
  }

  function describeRequest({ method, path, attempts }: RequestFacts, outcome: Outcome<unknown>, ms: number): Message {
    const { status, requestId } = outcome;
    return coded(
      "CDB3013",
      `${method} ${redact(path)}: ${status ?? (outcome instanceof ApiError ? (outcome.networkCode ?? outcome.code) : "")} after ${(ms / 1000).toFixed(2)} s, attempt ${attempts}${requestId === undefined ? "" : `, request id ${requestId}`}.`,
    );
  }

  /** Waits until the call may be tried again after a failure, or fails with it. */
  async function waitForRetry(call: CallState, error: ApiError): Promise<Retry> {
    const { idempotency = isRead(call) ? "read" : "set" } = call.options;
    call.refusal = undefined;
    call.refusedMs = 0;
    call.failures += 1;
    call.mayHaveSucceeded ||= !isRead(call) && error.mayHaveSucceeded;
    const failure = classifyFailure(error);
    const retry = decideRetry({
      idempotency,
      isUrgent: isUrgent(call),
      failure,
      failures: call.failures,
      maxRetries: settings.maxRetries,
      elapsedMs: clock.now() - call.startedAt - call.waitedMs,
      random: random(),
    });
    if (retry === undefined) throw failed(call, error);
    if ((failure.waitMs ?? 0) >= MIN_LOGGED_WAIT_MS) logWait(error, retry.waitMs);
    else if (call.failures > 1) logRetries(error);
    await clock.sleep(retry.waitMs, endOfWaits(call));
    return retry;
  }

  async function callUnlessDone<Result>(
    operation: Operation<Result>,
    parameters: PathParameters,
    options: CallOptions & Partial<RepeatableOptions>,
  ): Promise<Result | undefined> {
    const call = startCall(operation, buildPath(operation, parameters), options, clock.now());
    let { body } = options;
    for (;;) {
      const permit = await acquirePermit(call);
      call.attempts += 1;
      const facts = { ...factsOf(call), sentAt: clock.now(), keyOrigin: settings.keyOrigin };
      const outcome = await attempt({ operation, parameters, body, facts }, permit, call);
      if (!(outcome instanceof ApiError)) return outcome.result;
      call.lastFailure = outcome.status ?? outcome.networkCode;
      if (outcome instanceof RateLimitError) {
        call.refusal = outcome;
        continue;
      }
      const retry = await waitForRetry(call, outcome);
      if (!retry.readFirst) continue;
      if (options.readFirst === undefined) throw failed(call, outcome);
      body = await options.readFirst().catch((error: ApiError) => {
        throw failed(call, error);
      });
      if (body === undefined) return undefined;
    }
  }

  return {
    call: <Result>(operation: Operation<Result>, parameters: PathParameters, options: CallOptions = {}) =>
      callUnlessDone(operation, parameters, options) as Promise<Result>,
    callUnlessDone,
  };
}

function startCall(operation: Operation, path: string, options: CallOptions, startedAt: number): CallState {
  return {
    operation,
    path,
    options,
    startedAt,
    attempts: 0,
    failures: 0,
    waitedMs: 0,
    refusal: undefined,
    refusedMs: 0,
    lastFailure: undefined,
    mayHaveSucceeded: false,
  };
}

function factsOf({ operation, path, attempts }: CallState): RequestFacts {
  return { api: operation.api, method: operation.method, path, attempts };
}

function isRead({ operation }: CallState): boolean {
  return operation.method === "GET";
}

function isUrgent({ mayHaveSucceeded, options }: CallState): boolean {
  return mayHaveSucceeded || options.isUrgent === true;
}

/** The error with what is known of all attempts of the call. */
function failed(call: CallState, error: ApiError): ApiError {
  return Object.assign(error, { mayHaveSucceeded: call.mayHaveSucceeded || error.mayHaveSucceeded });
}

function rateLimitWaitTooLong(facts: RequestFacts, longestMs: number): RateLimitError {
  const text = `the rate limit requires a wait of more than ${longestMs / 1000} s`;
  return new RateLimitError(facts, { status: 429, text, isApi: true });
}

function classifyFailure(error: ApiError): Failure {
  if (error instanceof UntrustedServerError) return { kind: "final" };
  if (error instanceof UnreachableError) return { kind: "unreachable" };
  if (error instanceof InterruptedError) return { kind: "interrupted" };
  if (error instanceof StatusError) return { kind: "status", status: error.status, waitMs: error.waitMs };
  return { kind: "final" };
}

function buildPath({ api, method, path }: Operation, parameters: PathParameters): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? "";
    // An empty or dotted segment would lead to another path, encoded or not.
    if (/^\.*$/.test(value)) {
      const facts = { api, method, path, attempts: 0 };
      throw new ApiError(coded("CDB3007", `${name} ${JSON.stringify(value)} cannot be used in a request path`), facts);
    }
    return encodeURIComponent(value);
  });
}
