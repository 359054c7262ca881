import { coded, type Message } from "../errors";
import type { Operation, PathParameters } from "./endpoints";
import { ApiError, asUncertain, RATE_LIMITED, type RequestFacts } from "./errors";
import { type ApiRequest, type Body, type ClientSettings, createTransport } from "./http";
import { learnedQuota } from "./learned-limit";
import {
  type Clock,
  createRateLimiter,
  LOG_INTERVAL_MS,
  MIN_LOGGED_WAIT_MS,
  type Permit,
  type RateLimiter,
} from "./rate-limiter";
import type { Outcome } from "./response";
import {
  afterFailure,
  type Idempotency,
  NO_ATTEMPTS,
  permitError,
  type ReadFirst,
  waitLimits,
  withAttempt,
} from "./retry";

/** Signals that end the waits of calls. Requests in flight are still awaited. */
export interface WaitLimits {
  /** Ends the waits of calls that are not urgent. */
  readonly cancellation?: AbortSignal | undefined;
  /** Ends all waits. The signal's reason is the coded error to throw. */
  readonly deadline?: AbortSignal | undefined;
}

/** A client's dependencies on its process. */
export interface Dependencies extends Pick<WaitLimits, "cancellation"> {
  readonly clock: Clock;
  readonly random: () => number;
  /** Shows a line to the user. */
  readonly log: (line: Message) => void;
  /** Shows a line to users who enable debug messages. */
  readonly debug?: (line: Message) => void;
  /** Redacts known secrets, which a server may echo. */
  readonly redact: (text: string) => string;
  /** True while an engine is running to store the results of writes. Default: always. */
  readonly isEngineAlive?: (() => Promise<boolean>) | undefined;
  /** Paces the requests. Default: a rate limiter for this client alone. */
  readonly rateLimiter?: RateLimiter;
}

export interface CallOptions extends WaitLimits {
  readonly body?: Body;
  /** The effect of repeating a write. Reads are always repeatable. */
  readonly idempotency?: Idempotency;
  /**
   * True after a change that is not stored yet. The request takes precedence, starts no wait over a
   * minute, and ignores cancellation.
   */
  readonly isUrgent?: boolean;
  readonly inFlight?: InFlight;
  /** Default: the client's. */
  readonly userAgent?: string;
}

/** Callbacks around each attempt of a write, such as a creation, that must not be lost. */
interface InFlight {
  /** Called before each attempt. If it fails, nothing is sent. */
  readonly begin: () => Promise<void>;
  /** Called after an attempt that certainly had no effect. */
  readonly end: () => Promise<void>;
}

interface RepeatableOptions extends CallOptions {
  readonly readFirst: ReadFirst;
}

export interface Client {
  readonly call: <Result>(
    operation: Operation<Result>,
    parameters: PathParameters,
    options?: CallOptions,
  ) => Promise<Result>;
  /**
   * Like `call`, but reads the effect of an attempt before the next one; undefined if all changes
   * were done.
   */
  readonly callUnlessDone: <Result>(
    operation: Operation<Result>,
    parameters: PathParameters,
    options: RepeatableOptions,
  ) => Promise<Result | undefined>;
}

export function createClient(settings: ClientSettings, dependencies: Dependencies): Client {
  const { clock, random, log, debug, redact, isEngineAlive = async () => true } = dependencies;
  const { rateLimiter = createRateLimiter(clock, log, learnedQuota(clock)) } = dependencies;
  const { keyOrigin, baseUrl, maxRetries } = settings;
  const transport = createTransport(settings, dependencies);
  let loggedUntil = Number.NEGATIVE_INFINITY;

  /** Logs one line for all requests that wait or fail together. */
  function logOnce(line: Message, durationMs: number): void {
    if (clock.now() < loggedUntil) return;
    loggedUntil = clock.now() + durationMs;
    log(line);
  }

  function logRetry(
    { response, coded: { text } }: ApiError,
    retryMs: number,
    failures: number,
  ): void {
    const { status, waitMs = 0 } = response;
    if (waitMs >= MIN_LOGGED_WAIT_MS) {
      const wait = `asked to wait ${Math.ceil(retryMs / 1000)} s before the next attempt`;
      logOnce(coded("CDB3008", `The API returned ${status} and ${wait}.`), retryMs);
    } else if (failures > 1) {
      logOnce(coded("CDB3004", `Retrying: ${redact(text)}.`), LOG_INTERVAL_MS);
    }
  }

  /** Sends the request, unless it is a write and the engine is gone. */
  async function send<Result>(
    request: ApiRequest<Result>,
    permit: Permit,
    inFlight: InFlight | undefined,
  ): Promise<Outcome<Result>> {
    const facts = { ...request.facts, sentAt: clock.now() };
    try {
      if (facts.method !== "GET" && !(await isEngineAlive())) {
        permit.release(false);
        return new ApiError(
          coded("CDB3005", "the Pulumi engine has exited, so the request was not sent"),
          facts,
        );
      }
      await inFlight?.begin();
      const sentAt = clock.now();
      const outcome = await transport({ ...request, facts });
      debug?.(
        describeRequest({ ...facts, path: redact(facts.path) }, outcome, clock.now() - sentAt),
      );
      if (!(outcome instanceof ApiError)) return outcome;
      if (!outcome.mayHaveSucceeded) await inFlight?.end();
      if (outcome.code === RATE_LIMITED) permit.reportRefusal(outcome.response.waitMs);
      return outcome;
    } finally {
      permit.release();
    }
  }

  async function callUnlessDone<Result>(
    operation: Operation<Result>,
    parameters: PathParameters,
    options: CallOptions & Partial<RepeatableOptions> = {},
  ): Promise<Result | undefined> {
    const { api, method } = operation;
    const { inFlight, readFirst, userAgent, isUrgent = false } = options;
    const { idempotency = method === "GET" ? "read" : "set" } = options;
    const ends = {
      deadline: options.deadline,
      cancellation: options.cancellation ?? dependencies.cancellation,
    };
    const facts = { api, method, path: buildPath(operation, parameters), keyOrigin, baseUrl };
    const since = clock.now();
    let { body } = options;
    let attempts = NO_ATTEMPTS;
    for (;;) {
      const limits = waitLimits(attempts, isUrgent, ends);
      const permit = await rateLimiter.acquire({ since, ...limits });
      if (permit === undefined)
        throw permitError(attempts, { ...facts, attempts: attempts.count }, limits);
      attempts = withAttempt(attempts, permit.waitedMs);
      const request = {
        operation,
        parameters,
        body,
        userAgent,
        facts: { ...facts, attempts: attempts.count },
      };
      const outcome = await send(request, permit, inFlight);
      if (!(outcome instanceof ApiError)) return outcome.result;
      const [failed, next] = afterFailure(attempts, outcome, {
        idempotency,
        isUrgent,
        maxRetries,
        elapsedMs: clock.now() - since,
        random: random(),
        readFirst,
      });
      attempts = failed;
      if (next.kind === "fail") throw next.error;
      if (next.kind === "send") continue;
      logRetry(outcome, next.waitMs, attempts.failures);
      await clock.sleep(next.waitMs, waitLimits(attempts, isUrgent, ends).cancellation);
      if (next.kind === "wait") continue;
      body = await next.readFirst().catch((error) => {
        throw asUncertain(error);
      });
      if (body === undefined) return undefined;
    }
  }

  return {
    // Without `readFirst`, the result is never undefined.
    call: callUnlessDone as Client["call"],
    callUnlessDone,
  };
}

function describeRequest(
  request: RequestFacts,
  outcome: Outcome<unknown>,
  durationMs: number,
): Message {
  const { method, path, attempts } = request;
  const { status, requestId } = outcome.response;
  const result =
    status ?? (outcome instanceof ApiError ? (outcome.request.networkCode ?? outcome.code) : "");
  const id = requestId === undefined ? "" : `, request id ${requestId}`;
  const duration = (durationMs / 1000).toFixed(2);
  return coded(
    "CDB3013",
    `${method} ${path}: ${result} after ${duration} s, attempt ${attempts}${id}.`,
  );
}

function buildPath({ api, method, path }: Operation, parameters: PathParameters): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? "";
    // Even encoded, an empty segment or a segment of dots would change the path.
    if (/^\.*$/.test(value)) {
      const facts = { api, method, path, attempts: 0 };
      throw new ApiError(
        coded("CDB3007", `${name} ${JSON.stringify(value)} cannot be used in a request path`),
        facts,
      );
    }
    return encodeURIComponent(value);
  });
}
