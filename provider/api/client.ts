import { coded, type Message, withSentence } from "../errors";
import type { Operation } from "./endpoints";
import { ApiError, createStatusError, messageOfEnd, RATE_LIMITED, type RequestFacts } from "./errors";
import { type ClientSettings, httpFor } from "./http";
import { learnedQuota } from "./learned-limit";
import {
  type Clock,
  createRateLimiter,
  LOG_INTERVAL_MS,
  MIN_LOGGED_WAIT_MS,
  type Permit,
  type RateLimiter,
} from "./rate-limiter";
import { parseResponse, type RawResponse } from "./response";
import { decideRetry, type Idempotency, type Retry } from "./retry";
import { type Body, type Outcome, type PathParameters, sendOnce } from "./send";

/** Signals that end the waits of calls. A request that has been sent is waited for. */
export interface WaitLimits {
  /** Ends the waits of calls that are not urgent. */
  readonly cancellation?: AbortSignal | undefined;
  /** Ends all waits, for the coded error that it was aborted with. */
  readonly deadline?: AbortSignal | undefined;
}

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

export function createClient(settings: ClientSettings, dependencies: Dependencies): Client {
  const { clock, random, log, debug, redact, cancellation, isEngineAlive = async () => true } = dependencies;
  const { rateLimiter = createRateLimiter(clock, log, learnedQuota(clock)) } = dependencies;
  const http = httpFor(settings);
  let loggedUntil = Number.NEGATIVE_INFINITY;

  /** One line for all requests that wait or fail at the same time. */
  function logOnce(line: Message, durationMs: number): void {
    if (clock.now() < loggedUntil) return;
    loggedUntil = clock.now() + durationMs;
    log(line);
  }

  async function callUnlessDone<Result>(
    operation: Operation<Result>,
    parameters: PathParameters,
    options: CallOptions & Partial<RepeatableOptions> = {},
  ): Promise<Result | undefined> {
    const { api, method } = operation;
    const { inFlight, readFirst, idempotency = method === "GET" ? "read" : "set" } = options;
    const path = buildPath(operation, parameters);
    const startedAt = clock.now();
    let { body } = options;
    let attempts = 0;
    /** Failed attempts that the rate limit did not refuse. */
    let failures = 0;
    /** The time that the call has waited for permits. */
    let waitedMs = 0;
    /** The rate limit's last refusal, and the total wait since the last response that was not refused. */
    let refusal: ApiError | undefined;
    let refusedMs = 0;
    /** The status or the network's code of the last attempt. */
    let lastFailure: number | string | undefined;
    /** Stays true once an attempt may have succeeded. */
    let mayHaveSucceeded = false;

    const facts = (): RequestFacts => ({ api, method, path, attempts });
    const isUrgent = () => mayHaveSucceeded || options.isUrgent === true;
    const endOfWaits = () => (isUrgent() ? options.deadline : (options.cancellation ?? cancellation));
    /** The error with the facts about all attempts. */
    const failed = (error: ApiError) =>
      Object.assign(error, { mayHaveSucceeded: mayHaveSucceeded || error.mayHaveSucceeded });

    /** Waits for the rate limit, and fails where that would take too long. */
    async function acquirePermit(): Promise<Permit> {
      const longestMs = isUrgent() ? MAX_URGENT_WAIT_MS : MAX_RATE_LIMIT_WAIT_MS;
      const signal = endOfWaits();
      const limits = { maxWaitMs: longestMs - refusedMs, isUrgent: isUrgent(), cancellation: signal };
      const permit = await rateLimiter.acquire({ since: startedAt, ...limits });
      if (permit === undefined) {
        if (signal?.aborted) {
          const again = lastFailure === undefined ? "" : ` again after ${lastFailure}`;
          const text = `while the request waited to be sent${again}`;
          throw failed(new ApiError(withSentence(messageOfEnd(signal), text), facts()));
        }
        const text = `the rate limit requires a wait of more than ${longestMs / 1000} s`;
        throw failed(refusal ?? createStatusError(facts(), { status: 429, text, isApi: true }));
      }
      waitedMs += permit.waitedMs;
      if (refusal !== undefined) refusedMs += permit.waitedMs;
      return permit;
    }

    /** Sends the request, except a write whose result no engine would store. */
    async function send(permit: Permit): Promise<Outcome<Result>> {
      const request = { ...facts(), sentAt: clock.now(), keyOrigin: settings.keyOrigin };
      try {
        if (method !== "GET" && !(await isEngineAlive())) {
          permit.release(false);
          return new ApiError(coded("CDB3005", "the Pulumi engine has exited, so the request was not sent"), request);
        }
        await inFlight?.begin();
        const sentAt = clock.now();
        const parse = (raw: RawResponse) => parseResponse(raw, clock.now(), redact);
        const outcome = await sendOnce(http, { operation, parameters, body, facts: request }, parse);
        debug?.(describeRequest(outcome, clock.now() - sentAt));
        if (outcome instanceof ApiError && !outcome.mayHaveSucceeded) await inFlight?.end();
        if (isRefusal(outcome)) permit.reportRefusal(outcome.response.waitMs);
        return outcome;
      } finally {
        permit.release();
      }
    }

    function describeRequest(outcome: Outcome<Result>, durationMs: number): Message {
      const { status, requestId } = outcome.response;
      const result = status ?? (outcome instanceof ApiError ? (outcome.request.networkCode ?? outcome.code) : "");
      const id = requestId === undefined ? "" : `, request id ${requestId}`;
      const duration = (durationMs / 1000).toFixed(2);
      return coded("CDB3013", `${method} ${redact(path)}: ${result} after ${duration} s, attempt ${attempts}${id}.`);
    }

    /** Waits until the call may be tried again after a failure, or fails with it. */
    async function waitForRetry(error: ApiError): Promise<Retry> {
      refusal = undefined;
      refusedMs = 0;
      failures += 1;
      mayHaveSucceeded ||= method !== "GET" && error.mayHaveSucceeded;
      const elapsedMs = clock.now() - startedAt - waitedMs;
      const state = { idempotency, isUrgent: isUrgent(), error, failures, elapsedMs };
      const retry = decideRetry({ ...state, maxRetries: settings.maxRetries, random: random() });
      if (retry === undefined) throw failed(error);
      const { status, waitMs = 0 } = error.response;
      if (waitMs >= MIN_LOGGED_WAIT_MS) {
        const wait = `asked to wait ${Math.ceil(retry.waitMs / 1000)} s before the next attempt`;
        logOnce(coded("CDB3008", `The API returned ${status} and ${wait}.`), retry.waitMs);
      } else if (failures > 1) {
        logOnce(coded("CDB3004", `Retrying: ${redact(error.coded.text)}.`), LOG_INTERVAL_MS);
      }
      await clock.sleep(retry.waitMs, endOfWaits());
      return retry;
    }

    for (;;) {
      const permit = await acquirePermit();
      attempts += 1;
      const outcome = await send(permit);
      if (!(outcome instanceof ApiError)) return outcome.result;
      lastFailure = outcome.response.status ?? outcome.request.networkCode;
      if (isRefusal(outcome)) {
        refusal = outcome;
        continue;
      }
      const retry = await waitForRetry(outcome);
      if (!retry.readFirst) continue;
      if (readFirst === undefined) throw failed(outcome);
      body = await readFirst().catch((error: ApiError) => {
        throw failed(error);
      });
      if (body === undefined) return undefined;
    }
  }

  return {
    // Without `readFirst`, something is always left to send.
    call: callUnlessDone as Client["call"],
    callUnlessDone,
  };
}

function isRefusal(outcome: Outcome<unknown>): outcome is ApiError {
  return outcome instanceof ApiError && outcome.code === RATE_LIMITED;
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
