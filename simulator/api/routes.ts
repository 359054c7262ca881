import type { FastifyInstance, FastifyRequest } from "fastify";
import document from "../openapi.json";
import type { Simulation } from "../simulation";
import { requireKey } from "./authentication";
import { type Call, operations } from "./operations";
import { badRequest, Problem } from "./problem";
import { complaintOf } from "./validation";

/** The document's operations as routes: what they take and what they answer is checked as it says. */

interface Operation {
  readonly operationId: string;
  readonly requestBody?: object;
  readonly security?: readonly object[];
}

const METHODS = ["get", "post", "patch"] as const;
type Method = (typeof METHODS)[number];
type Path = Partial<Record<Method, Operation>>;

const paths = Object.entries(document.paths as Record<string, Path>);
const JSON_SCHEMA = ["content", "application/json", "schema"];

export function addOperations(app: FastifyInstance, simulation: Simulation): void {
  for (const [path, item] of paths) {
    for (const method of methodsOf(item)) addOperation(app, simulation, path, method, item[method] as Operation);
  }
}

/** Refuses another method on a path that exists, before the request is read. */
export function addOtherMethods(app: FastifyInstance): void {
  const patterns = paths.map(([path, item]) => {
    const methods = methodsOf(item).flatMap((method) => (method === "get" ? ["get", "head"] : [method]));
    const allow = methods.join(", ").toUpperCase();
    return { pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`), allow };
  });
  app.addHook("onRequest", async ({ is404, method, url }) => {
    const found = is404 && patterns.find(({ pattern }) => pattern.test(url));
    if (!found) return;
    const { allow } = found;
    throw new Problem(405, "METHOD_NOT_ALLOWED", `${method} is not one of ${allow}`, { allow });
  });
}

function methodsOf(item: Path): Method[] {
  return METHODS.filter((method) => item[method]);
}

function addOperation(
  app: FastifyInstance,
  simulation: Simulation,
  path: string,
  method: Method,
  { operationId, requestBody, security = [] }: Operation,
): void {
  const operate = operations[operationId];
  if (operate === undefined) throw new Error(`nothing carries out the document's ${operationId}`);
  const scheme = security.some((each) => "bearer" in each) ? "Bearer" : "Basic";
  const place = ["paths", path, method];

  app.route({
    method: method.toUpperCase(),
    url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    config: { scheme },
    onRequest: async ({ headers }) => requireKey(headers.authorization, scheme, simulation.credentials),
    handler: async (request) => {
      refuseBadIds(request);
      const body = request.hooks?.body?.(request.body) ?? request.body;
      if (requestBody) {
        const complaint = complaintOf([...place, "requestBody", ...JSON_SCHEMA], body);
        if (complaint !== undefined) throw badRequest(complaint);
      }
      const carryOut = () =>
        operate({
          world: simulation.world,
          ids: request.params as Call["ids"],
          body: body as Call["body"],
          now: simulation.clock.now(),
          order: "removeFirst",
          lateSeconds: 0,
          ...request.hooks?.call,
        });
      const { result } = method === "get" ? carryOut() : await simulation.change(carryOut);
      const answer = scheme === "Bearer" ? { data: result } : { status: 200, requestId: request.id, result };
      const mistake = complaintOf([...place, "responses", "200", ...JSON_SCHEMA], answer);
      if (mistake !== undefined) throw new Error(`the answer is not as documented: ${mistake}`);
      return answer;
    },
  });
}

function refuseBadIds({ params }: FastifyRequest): void {
  for (const [name, id] of Object.entries(params as Call["ids"])) {
    const complaint = complaintOf(["components", "parameters", name, "schema"], id, name);
    if (complaint !== undefined) throw badRequest(complaint);
  }
}
