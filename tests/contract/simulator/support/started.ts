import { type RunningSimulator, type SimulatorOptions, startSimulator } from "../../../../simulator/index";

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  body: { result?: Record<string, unknown>; data?: unknown; error?: string; requestId?: string };
};

let simulators: RunningSimulator[] = [];
afterEach(async () => {
  await Promise.all(simulators.map((simulator) => simulator.close()));
  simulators = [];
});

/** A simulator that is closed after the test, and helpers to call it. */
export async function started(options: SimulatorOptions = {}) {
  const simulator = await startSimulator(options);
  simulators.push(simulator);
  const basic = `Basic ${Buffer.from(`${simulator.keyId}:${simulator.keySecret}`).toString("base64")}`;
  const services = `/v1/organizations/${simulator.organizationId}/services`;

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    // A blob is sent unchanged, without a content type.
    const type = body !== undefined && !(body instanceof Blob) && { "content-type": "application/json" };
    const response = await fetch(simulator.baseUrl + path, {
      method,
      headers: { authorization: basic, ...type, ...headers },
      ...(body !== undefined && {
        body: typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
  }
  const create = (body: object = {}) => call("POST", services, body);
  async function created(body: object = {}): Promise<string> {
    const { service } = (await create(body)).body.result as { service: { id: string } };
    return `${services}/${service.id}`;
  }
  return { ...simulator, services, call, create, created };
}
