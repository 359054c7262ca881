import { Agent, ClientRequest } from "node:http";

/** What happens to a request on its way, before any server has a say. */
export interface Trouble {
  readonly kind: "refused" | "impatient";
  readonly method: string;
  readonly path: string;
  /** For ever where absent. */
  readonly times?: number;
}

/** Nobody listens there. */
const DEAD_PORT = 1;
/** Far below a second, and long enough for an answer on this machine to be begun. */
const IMPATIENT_MS = 40;

let trouble: (Trouble & { left: number }) | undefined;
const impatient = new WeakSet<ClientRequest>();

interface AgentInside {
  addRequest(request: ClientRequest, options: { port?: number }): void;
}

/** From now on, requests that fit are refused by the operating system, or given up after a moment. */
export function inTrouble(next: Trouble | undefined): void {
  trouble = next && { ...next, left: next.times ?? Number.POSITIVE_INFINITY };
}

beforeAll(() => {
  const agent = Agent.prototype as unknown as AgentInside;
  const { addRequest } = agent;
  jest.spyOn(agent, "addRequest").mockImplementation(function (this: unknown, request, options) {
    const fits = trouble !== undefined && trouble.left > 0 && trouble.method === request.method;
    if (!trouble || !fits || !request.path.includes(trouble.path)) return addRequest.call(this, request, options);
    trouble.left -= 1;
    if (trouble.kind === "refused") return addRequest.call(this, request, { ...options, port: DEAD_PORT });
    impatient.add(request);
    return addRequest.call(this, request, options);
  });
  const { setTimeout } = ClientRequest.prototype;
  jest.spyOn(ClientRequest.prototype, "setTimeout").mockImplementation(function (this: ClientRequest, ms, then) {
    return setTimeout.call(this, impatient.has(this) ? IMPATIENT_MS : ms, then);
  });
});
afterAll(() => jest.restoreAllMocks());
