/*
 * Messages for users. Each has a code that docs/errors.md explains. A code never changes its
 * meaning and is never reused.
 */

export type ErrorCode = `CDB${number}`;

export interface Message {
  readonly code: ErrorCode;
  readonly text: string;
}

/** Joins parts of a text into a message. */
export function coded(code: ErrorCode, ...parts: readonly string[]): Message {
  return { code, text: parts.join(" ") };
}

/** The text with its code at the end. */
export function render({ code, text }: Message): string {
  return `${text} [${code}]`;
}

export function withSentence({ code, text }: Message, sentence: string): Message {
  return { code, text: `${text} ${sentence}` };
}

/** Joins several problems into one error, with the first code. */
export function joinProblems(problems: readonly Message[]): Message | undefined {
  return problems[0] && coded(problems[0].code, problems.map(({ text }) => text).join(" "));
}

/** An error whose message is written for users. */
export class CodedError extends Error {
  readonly coded: Message;

  constructor(message: Message, options?: ErrorOptions) {
    super(render(message), options);
    this.coded = message;
  }
}

interface RequestSettings {
  readonly address: string;
  readonly credentials: string;
  /** The place that the key came from. */
  readonly origin: string;
  readonly proxyVariable: string | undefined;
}

const repeat = () => "Run the same command again; it sends only what still differs.";
const checkNetwork = ({ address, proxyVariable }: RequestSettings) =>
  `Check ${proxyVariable ? `${proxyVariable}, ` : ""}${address} and the network, then run the same command again.`;
const checkGateways = ({ address }: RequestSettings) =>
  `Check that ${address} is the base URL of the API, without its version, and check the proxies and gateways on the way to it.`;

/**
 * The advice at the end of a failed request's message. From CDB3300 on, codes follow the response's
 * status.
 */
const ADVICE: Readonly<Record<ErrorCode, (settings: RequestSettings) => string>> = {
  CDB3001: checkNetwork,
  CDB3002: checkNetwork,
  CDB3003: repeat,
  CDB3005: repeat,
  CDB3006: repeat,
  CDB3007: repeat,
  CDB3010: ({ address }) =>
    `Check that ${address} is the base URL of the API, then run \`pulumi refresh\`.`,
  CDB3012: checkGateways,
  CDB3015: () =>
    "Allow more time in customTimeouts, or run the same command again; it sends only what still differs.",
  CDB3016: ({ address }) =>
    `Correct the variable, or name the host of ${address} in NO_PROXY if it can be reached without a proxy.`,
  CDB3300: checkGateways,
  CDB3400: () => "Fix the problem named in the API's response.",
  CDB3401: ({ origin }) => `Check ${origin}.`,
  CDB3403: ({ origin }) =>
    `Grant the key the missing permission, or use another key: change ${origin}.`,
  CDB3404: () => "Check the ids; `pulumi refresh` shows what still exists.",
  CDB3407: ({ address }) =>
    `Check the user name and password of the proxy in HTTPS_PROXY or HTTP_PROXY, or name the host of ${address} in NO_PROXY if it can be reached without the proxy.`,
  CDB3409: () => "It is not ready for changes yet: wait a moment, then run `pulumi up` again.",
  CDB3413: () =>
    "The request is too large for the API, or for a proxy or gateway on the way to it: raise the limit there, or declare shorter lists.",
  CDB3424: () =>
    "An idle service does not wake up by itself: run a query to wake it, or wait if it is still being provisioned; then run the same command again.",
  CDB3429: () => "Wait until the rate limit resets, then run the same command again.",
  CDB3431: ({ credentials }) =>
    `The request's headers are too large for the API, or for a proxy or gateway on the way to it: check that ${credentials} contain the key alone, and that no proxy adds long headers or cookies.`,
  CDB3500: repeat,
  CDB3501: checkGateways,
  CDB3511: () =>
    "The network asks for a login: log in, with a browser, for example, then run the same command again.",
  CDB9004: repeat,
};

export function adviceOn(code: ErrorCode, settings: RequestSettings): string {
  return ADVICE[code]?.(settings) ?? "";
}
