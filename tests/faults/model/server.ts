import { createServer } from "../../../simulator/http/server";
import type { FaultRule, Seed } from "../../../simulator/index";
import { createSimulation } from "../../../simulator/simulation/simulation";
import { describeOrganizations } from "../../../simulator/state/state";
import type { Properties } from "../../support/adapters/handlers";
import { createTestApi } from "../../support/api";
import {
  applyEdits,
  applyVariant,
  type ServerVariant,
  type Shape,
} from "../../support/variants/edits";

const CREDENTIALS = { keyId: "model", keySecret: "the-secret-of-the-model", accessToken: "unused" };

/** The shape of a response, by the end of the route. */
const SHAPES: readonly (readonly [string, Shape])[] = [
  ["/services", "creation"],
  ["/:serviceId", "service"],
  ["/replicaScaling", "service"],
  ["/:pipeId", "pipe"],
  ["/settings", "settings"],
  ["/:organizationId", "organization"],
  ["/alerts/:id", "alert"],
  ["/dashboards", "dashboards"],
];

/**
 * The simulator, responding as other servers, gateways and proxies do. Tests control and inspect it
 * without requests: after every step of a model, they would cost more than the step.
 */
export async function startServer(seed: Seed) {
  const simulation = createSimulation({ seed, credentials: CREDENTIALS, now: Date.now });
  const app = createServer(simulation);
  let variant: ServerVariant | undefined;
  const received: Received[] = [];
  let gate: Gate | undefined;
  const endings = new WeakMap<object, () => Promise<void>>();
  /** The passwords of creations, by service ID. */
  const passwords = new Map<string, string>();
  app.addHook("preHandler", async (request) => {
    const { method, url, body } = request;
    const ending = await gate?.(method, body as Properties | undefined);
    if (ending === "lost") throw new Error("the sender of the request has died");
    if (ending) endings.set(request, ending);
    received.push({ method, url, body });
    request.body = applyEdits(body, variant?.requests);
  });
  app.addHook("onSend", async (request) => endings.get(request)?.());
  app.addHook("onSend", async ({ routeOptions: { url = "" } }, { statusCode }, text) => {
    const [, shape] = SHAPES.find(([end]) => url.endsWith(end)) ?? [];
    const isUsed = variant !== undefined || shape === "creation";
    if (!isUsed || shape === undefined || statusCode !== 200) return text;
    const response = parsed(String(text));
    if (response === undefined) return text;
    if (shape === "creation" && response.result?.service) {
      passwords.set(response.result.service.id, response.result.password);
    }
    return JSON.stringify(applyVariant(variant, shape, response));
  });
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  const [organizationId = ""] = simulation.state.organizations.keys();
  const ready = {
    baseUrl,
    observabilityUrl: baseUrl,
    page: baseUrl,
    organizationId,
    ...CREDENTIALS,
  };
  const { change } = createTestApi(ready);

  return {
    simulation,
    ...ready,
    passwords,
    async reset(): Promise<void> {
      variant = undefined;
      passwords.clear();
      await simulation.reset();
    },
    /** Answers all later requests as this variant does. */
    useVariant(next: ServerVariant | undefined): void {
      variant = next;
      simulation.setConditions({ faults: next?.gateway ? [next.gateway] : [] });
    },
    /** The requests since the last call that passed authentication and parsing. */
    received: () => received.splice(0),
    /** Lets each later request pass this gate before the API receives it. */
    useGate(next: Gate | undefined): void {
      gate = next;
    },
    faults: (...faults: FaultRule[]) => simulation.setConditions({ faults }),
    organization(): Properties & { readonly services: readonly Properties[] } {
      const [organization] = describeOrganizations(simulation.state);
      if (organization === undefined) throw new Error("the seed has no organization");
      return organization as never;
    },
    /** Sends an update, like a change outside of the stack. */
    change: (path: string, body: Properties) => change("PATCH", path, body),
    close: () => app.close(),
  };
}

/** The JSON of a response; undefined if a fault has broken it. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/** Decides about a request: lost, or with an action before its response leaves. */
export type Gate = (
  method: string,
  body: Properties | undefined,
) => Promise<"lost" | (() => Promise<void>) | undefined>;

export type Server = Awaited<ReturnType<typeof startServer>>;
