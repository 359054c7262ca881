import axios, { type AxiosInstance } from "axios";
import { parseDocumented } from "./documented-response";
import {
  ApiError,
  createStatusError,
  EngineGoneError,
  InterruptedError,
  InvalidResponseError,
  RateLimitError,
  type RequestFacts,
  type ResponseFacts,
  StatusError,
  UnreachableError,
  UntrustedServerError,
} from "./errors";
import { agentsFor, type ClientSettings, httpFor } from "./http";
import type { Operation } from "./operations";
import { type Clock, createRateLimiter } from "./rate-limiter";
import { parseJson, parseResponse, type RawResponse } from "./response";
import { decideRetry, type Failure, type Idempotency } from "./retry";

/** What a client needs from the world around it. */
export interface Dependencies {
  readonly clock: Clock;
  readonly random: () => number;
  /** Tells the user something in one line. */
  readonly log: (line: string) => void;
  /** The text without the secrets that are known: a server may repeat what it was sent. */
  readonly redact: (text: string) => string;
  /** Whether somebody is left who will store what a write does; without it, there always is. */
  readonly isEngineAlive?: () => Promise<boolean>;
}

export type PathParameters = Readonly<Record<string, string>>;
export type Body = Readonly<Record<string, unknown>>;

export interface CallOptions {
  readonly body?: Body;
  /** What repeating a write would do. Reads can always be repeated. */
  readonly idempotency?: Idempotency;
  /** Reads what a request may have done, and answers what is left to send: nothing, if it was all done. */
  readonly readFirst?: () => Promise<Body | undefined>;
  /** True where the operation has changed something that is not stored yet: it goes before others, and begins no wait of more than a minute. */
  readonly isUrgent?: boolean;
}

export interface Client {
  /** The operation's result; undefined only where `readFirst` found nothing left to send. */
  readonly call: <Result>(
    operation: Operation<Result>,
    parameters: PathParameters,
    options?: CallOptions,
  ) => Promise<Result | undefined>;
}

const MAX_RATE_LIMIT_WAIT_MS = 10 * 60_000;
const MAX_URGENT_WAIT_MS = 60_000;
/** A shorter wait is not worth a line. */
const MIN_LOGGED_WAIT_MS = 3000;

/** Codes of failures before a request was sent. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);
const UNTRUSTED = /CERT|UNABLE_TO_VERIFY|^INVALID_(CA|PURPOSE)$/;

export function createClient(settings: ClientSettings, dependencies: Dependencies): Client {
  const { clock, random, log, redact, isEngineAlive = async () => true } = dependencies;
  const http = httpFor(settings);
  const rateLimiter = createRateLimiter(clock, log);
  let loggedUntil = Number.NEGATIVE_INFINITY;

  /** Many requests may be told to wait at once: one line is enough. */
  function logWait({ status }: ApiError, waitMs: number): void {
    if (waitMs < MIN_LOGGED_WAIT_MS || clock.now() < loggedUntil) return;
    loggedUntil = clock.now() + waitMs;
    log(`The API answered ${status} and asked to wait ${Math.ceil(waitMs / 1000)} s before the next attempt.`);
  }

  return {
    async call<Result>(operation: Operation<Result>, parameters: PathParameters, options: CallOptions = {}) {
      const { readFirst, idempotency = operation.method === "GET" ? "read" : "set" } = options;
      const startedAt = clock.now();
      const path = buildPath(operation, parameters);
      let { body } = options;
      let failures = 0;
      let waitedMs = 0;
      // The refusal that is being waited out, and how long such waits took since the last other answer.
      let refusal: RateLimitError | undefined;
      let limitedMs = 0;
      // Once an attempt may have been carried out, no later failure makes that certain again.
      let mayHaveSucceeded = false;
      const failed = (error: ApiError) =>
        Object.assign(error, { mayHaveSucceeded: mayHaveSucceeded || error.mayHaveSucceeded });

      for (let attempts = 1; ; attempts += 1) {
        const isUrgent = mayHaveSucceeded || options.isUrgent === true;
        const longestMs = isUrgent ? MAX_URGENT_WAIT_MS : MAX_RATE_LIMIT_WAIT_MS;
        const permit = await rateLimiter.acquire({ since: startedAt, maxWaitMs: longestMs - limitedMs, isUrgent });
        const facts = { api: operation.api, method: operation.method, path, attempts, sentAt: clock.now() };
        if (permit === undefined)
          throw failed(refusal ?? rateLimitWaitTooLong({ ...facts, attempts: attempts - 1 }, longestMs));
        waitedMs += permit.waitedMs;
        if (refusal !== undefined) limitedMs += permit.waitedMs;
        let outcome: { result: Result } | ApiError;
        try {
          outcome =
            operation.method === "GET" || (await isEngineAlive())
              ? await sendOnce(http, operation, parameters, facts, body, (raw) =>
                  parseResponse(raw, clock.now(), redact),
                )
              : new EngineGoneError("the engine has ended, and nothing more was sent", facts);
          if (outcome instanceof RateLimitError) permit.reportRefusal(outcome.waitMs);
        } finally {
          permit.release();
        }
        if (!(outcome instanceof Error)) return outcome.result;
        if (outcome instanceof RateLimitError) {
          refusal = outcome;
          continue;
        }
        refusal = undefined;
        limitedMs = 0;
        failures += 1;
        mayHaveSucceeded ||= operation.method !== "GET" && outcome.mayHaveSucceeded;
        const failure = classifyFailure(outcome);
        const retry = decideRetry({
          idempotency,
          isUrgent: isUrgent || mayHaveSucceeded,
          failure,
          failures,
          maxRetries: settings.maxRetries,
          elapsedMs: clock.now() - startedAt - waitedMs,
          random: random(),
        });
        if (retry === undefined) throw failed(outcome);
        if (failure.waitMs !== undefined) logWait(outcome, failure.waitMs);
        await clock.sleep(retry.waitMs);
        if (!retry.readFirst) continue;
        if (readFirst === undefined) throw failed(outcome);
        body = await readFirst().catch((error: ApiError) => {
          throw failed(error);
        });
        if (body === undefined) return undefined;
      }
    },
  };
}

/** One attempt: the result, or the error that says how it failed. */
async function sendOnce<Result>(
  http: AxiosInstance,
  operation: Operation<Result>,
  parameters: PathParameters,
  facts: RequestFacts,
  body: Body | undefined,
  factsOf: (raw: RawResponse) => ResponseFacts,
): Promise<{ result: Result } | ApiError> {
  let raw: RawResponse;
  try {
    const response = await http.request<string>({
      method: operation.method,
      url: facts.path,
      ...agentsFor(operation.method),
      // The timeout counts silence alone: a server that sends a byte now and then would never end.
      signal: AbortSignal.timeout(Number(http.defaults.timeout)),
      ...(body !== undefined && { data: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    raw = { status: response.status, headers: response.headers, body: String(response.data ?? "") };
  } catch (error) {
    return createTransportError(error, facts);
  }
  if (raw.status < 200 || raw.status > 299) return createStatusError(facts, factsOf(raw));
  return parseResult(operation, parameters, facts, raw, factsOf(raw).requestId);
}

/** The member of an answer that holds the result. */
const RESULT_IN = { management: "result", observability: "data" } as const;

function parseResult<Result>(
  operation: Operation<Result>,
  parameters: PathParameters,
  facts: RequestFacts,
  raw: RawResponse,
  requestId: string | undefined,
): { result: Result } | ApiError {
  const json = parseJson(raw) as { result?: unknown; data?: unknown } | undefined;
  const member = RESULT_IN[operation.api];
  const found = json?.[member];
  const answer = { status: raw.status, requestId, code: undefined };
  const read = parseDocumented(operation.result, found);
  if ("unusable" in read) {
    const place = [member, ...read.unusable].join(".");
    const what = json === undefined ? "is no JSON" : `has no usable ${place}`;
    return new InvalidResponseError(`the answer ${raw.status} ${what}`, facts, answer);
  }
  const asked = operation.idParameter && parameters[operation.idParameter];
  const got = (read.result as { id?: string }).id;
  if (asked !== undefined && asked.toLowerCase() !== got?.toLowerCase()) {
    return new InvalidResponseError("the response is about another object", facts, answer);
  }
  return { result: read.result };
}

/** What the operating system refused, as the HTTP library hands it on. */
interface SystemError {
  readonly syscall?: string;
  readonly errors?: readonly SystemError[];
}

function createTransportError(error: unknown, facts: RequestFacts): ApiError {
  const { code = "unknown failure", cause } = error as { code?: string; cause?: SystemError };
  // A host of several addresses fails with an error for each.
  const { syscall } = cause?.errors?.[0] ?? cause ?? {};
  if (UNTRUSTED.test(code)) return new UntrustedServerError(`the server's certificate is not trusted: ${code}`, facts);
  if (NEVER_SENT.has(code) || syscall === "connect") {
    return new UnreachableError(`the server could not be reached: ${code}`, facts);
  }
  const timeout = axios.isCancel(error) || code === "ECONNABORTED" || code === "ETIMEDOUT";
  return new InterruptedError(timeout ? "no answer came in time" : `the connection broke: ${code}`, facts);
}

function rateLimitWaitTooLong(facts: RequestFacts, longestMs: number): RateLimitError {
  const text = `the rate limit asks for a wait of more than ${longestMs / 1000} s`;
  return new RateLimitError(facts, { status: 429, text, isApi: true });
}

function classifyFailure(error: ApiError): Failure {
  if (error instanceof UntrustedServerError) return { kind: "final" };
  if (error instanceof UnreachableError) return { kind: "unreachable" };
  if (error instanceof InterruptedError) return { kind: "interrupted" };
  if (error instanceof StatusError) return { kind: "status", status: error.status, waitMs: error.waitMs };
  return { kind: "final" };
}

function buildPath({ api: to, method, path }: Operation, parameters: PathParameters): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? "";
    // An empty or dotted segment would lead to another path, encoded or not.
    if (/^\.*$/.test(value)) {
      const facts = { api: to, method, path, attempts: 0 };
      throw new ApiError(`${name} ${JSON.stringify(value)} cannot stand in a request path`, facts);
    }
    return encodeURIComponent(value);
  });
}
