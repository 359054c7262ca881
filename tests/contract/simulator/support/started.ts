import { basic } from "pulumi-clouddb-facts";
import {
  type FaultRule,
  type RunningSimulator,
  type SimulatorOptions,
  startSimulator,
} from "../../../../simulator/index";

/** An id that no object of a new simulator has. */
export const NOBODY = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";

interface Body {
  readonly result?: Record<string, unknown>;
  readonly error?: string;
  readonly requestId?: string;
}

let simulators: RunningSimulator[] = [];
afterEach(async () => {
  await Promise.all(simulators.map((simulator) => simulator.close()));
  simulators = [];
});

/** A simulator that is closed after the test, and helpers to call it. */
export async function started(options: SimulatorOptions = {}) {
  const simulator = await startSimulator(options);
  simulators.push(simulator);
  const authorization = basic(simulator.keyId, simulator.keySecret);
  const services = `/v1/organizations/${simulator.organizationId}/services`;

  /** Sends a text or a blob unchanged, a blob without a content type. */
  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const isRaw = typeof body === "string" || body instanceof Blob;
    const type = body !== undefined &&
      !(body instanceof Blob) && { "content-type": "application/json" };
    const response = await fetch(simulator.baseUrl + path, {
      method,
      headers: { authorization, ...type, ...headers },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : {}) as Body,
    };
  }
  /** Reads a part of the admin API, or replaces it. */
  const admin = async <Part = unknown>(path: string, body?: object) =>
    (await call(body ? "PUT" : "GET", `/__admin/${path}`, body)).body as Part;
  const setFaults = (...faults: FaultRule[]) => admin("faults", { faults });
  const create = (body: object = {}) => call("POST", services, body);
  async function created(body: object = {}): Promise<string> {
    const { service } = (await create(body)).body.result as { service: { id: string } };
    return `${services}/${service.id}`;
  }
  return { ...simulator, services, call, admin, setFaults, create, created };
}
