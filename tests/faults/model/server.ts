import { createServer } from "../../../simulator/http/server";
import type { FaultRule, Seed } from "../../../simulator/index";
import { createSimulation } from "../../../simulator/simulation/simulation";
import { describeOrganizations } from "../../../simulator/state/state";
import type { Properties } from "../../support/adapters/handlers";
import { applyVariant, type ServerVariant, type Shape } from "../../support/second-server/edits";

const CREDENTIALS = { keyId: "model", keySecret: "the-secret-of-the-model", accessToken: "unused" };

/** The shape of a response, by the end of the route. */
const SHAPES: readonly (readonly [string, Shape])[] = [
  ["/services", "creation"],
  ["/:serviceId", "service"],
  ["/replicaScaling", "service"],
  ["/:pipeId", "pipe"],
  ["/settings", "settings"],
  ["/:organizationId", "organization"],
];

/** A simulator controlled and inspected without requests: after every step, they would cost more than the step. */
export async function startServer(seed: Seed) {
  const simulation = createSimulation({ seed, credentials: CREDENTIALS, now: Date.now });
  const app = createServer(simulation);
  let variant: ServerVariant | undefined;
  app.addHook("onSend", async ({ routeOptions: { url = "" } }, { statusCode }, text) => {
    const [, shape] = SHAPES.find(([end]) => url.endsWith(end)) ?? [];
    if (variant === undefined || shape === undefined || statusCode !== 200) return text;
    return JSON.stringify(applyVariant(variant, shape, JSON.parse(String(text))));
  });
  const baseUrl = await app.listen({ host: "127.0.0.1", port: 0 });
  const [organizationId = ""] = simulation.state.organizations.keys();
  const authorization = `Basic ${Buffer.from(`${CREDENTIALS.keyId}:${CREDENTIALS.keySecret}`).toString("base64")}`;

  return {
    baseUrl,
    ...CREDENTIALS,
    organizationId,
    async reset(): Promise<void> {
      variant = undefined;
      await simulation.reset();
    },
    /** Answers all later requests as this variant does. */
    useVariant(next: ServerVariant | undefined): void {
      variant = next;
    },
    faults: (...faults: FaultRule[]) => simulation.setConditions({ faults }),
    organization(): Properties & { readonly services: readonly Properties[] } {
      const [organization] = describeOrganizations(simulation.state);
      if (organization === undefined) throw new Error("the seed has no organization");
      return organization as never;
    },
    /** Sends an update, like a change outside of the stack. */
    async change(path: string, body: Properties): Promise<void> {
      const response = await fetch(`${baseUrl}/v1/organizations/${organizationId}/services${path}`, {
        method: "PATCH",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    },
    close: () => app.close(),
  };
}

export type Server = Awaited<ReturnType<typeof startServer>>;
