import { Agent, ClientRequest } from "node:http";
import { shortPath } from "./api";

/** What happens to a request on its way, whatever a server has to say. */
export interface Trouble {
  readonly kind: /** The operating system refuses the connection. */
    | "refused"
    /** The client gives up after a moment. */
    | "impatient"
    /** The process dies before the request is sent, or after it was answered and before anybody has read that. */
    | "dies before"
    | "dies after";
  /** Any where absent. */
  readonly method?: string;
  readonly path?: string;
  /** For ever where absent. */
  readonly times?: number;
  /** So many requests that fit pass before. */
  readonly skipped?: number;
  readonly died?: () => void;
}

/** A request as its sender has seen it. */
export interface Sent {
  /** Method and the end of the path, without ids. */
  readonly request: string;
  /** Absent where no answer came; 0 where it was refused before it was sent. */
  status?: number | undefined;
}

/** Nobody listens there. */
const DEAD_PORT = 1;
/** Far below a second, and long enough for an answer on this machine to be begun. */
const IMPATIENT_MS = 40;

let trouble: (Trouble & { left: number; toSkip: number }) | undefined;
const impatient = new WeakSet<ClientRequest>();
let sent: Sent[] = [];

/** The requests since the last time this was asked, in their order. */
export function requestsSent(): Sent[] {
  const all = sent;
  sent = [];
  return all;
}

interface AgentInside {
  addRequest(request: ClientRequest, options: { port?: number }): void;
}

/** From now on, requests that fit are in trouble. */
export function inTrouble(next: Trouble | undefined): void {
  trouble = next && { ...next, left: next.times ?? Number.POSITIVE_INFINITY, toSkip: next.skipped ?? 0 };
}

/** The trouble that a request is in, used up by it. */
function troubleFor({ method, path }: ClientRequest): Trouble | undefined {
  if (trouble === undefined || trouble.left === 0) return undefined;
  if ((trouble.method ?? method) !== method || !path.includes(trouble.path ?? "")) return undefined;
  if (trouble.toSkip > 0) {
    trouble.toSkip -= 1;
    return undefined;
  }
  trouble.left -= 1;
  return trouble;
}

const agent = Agent.prototype as unknown as AgentInside;
const { addRequest } = agent;
const { setTimeout } = ClientRequest.prototype;

// By hand: a spy keeps every call, and these are called millions of times.
beforeAll(() => {
  agent.addRequest = function (request, options) {
    // Steering is none of the client's requests.
    if (request.path.startsWith("/__admin")) return addRequest.call(this, request, options);
    const { kind, died = () => {} } = troubleFor(request) ?? {};
    if (kind === "dies before") return die(request, died);
    const entry: Sent = { request: `${request.method} ${shortPath(request.path)}` };
    if (kind === "refused") entry.status = 0;
    sent.push(entry);
    request.once("response", ({ statusCode }) => {
      entry.status = statusCode;
    });
    if (kind === "dies after") withoutAnswer(request, died);
    if (kind === "impatient") impatient.add(request);
    addRequest.call(this, request, kind === "refused" ? { ...options, port: DEAD_PORT } : options);
  };
  ClientRequest.prototype.setTimeout = function (ms, then) {
    return setTimeout.call(this, impatient.has(this) ? IMPATIENT_MS : ms, then);
  };
});
afterAll(() => {
  agent.addRequest = addRequest;
  ClientRequest.prototype.setTimeout = setTimeout;
});

/** Nobody reads what comes back. */
function withoutAnswer(request: ClientRequest, answered: () => void): void {
  const { emit } = request;
  request.emit = (event: string | symbol, ...values: unknown[]) => {
    if (event !== "response") return emit.call(request, event, ...values);
    die(request, answered);
    return true;
  };
}

/** Its client hears of it, or it would wait until its time is over: by then, the tests are long done. */
function die(request: ClientRequest, died: () => void): void {
  died();
  request.destroy();
  process.nextTick(() => request.emit("error", new Error("its process has died")));
}
