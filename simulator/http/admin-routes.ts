import type { FastifyInstance } from "fastify";
import { ApiError } from "../operations/api-error";
import { Clock, Faults, RateLimit, Seed } from "../schema/seed";
import { redact } from "../simulation/redact";
import type { Simulation } from "../simulation/simulation";
import { describeOrganizations } from "../state/state";
import { assertValid } from "./api";
import { isCrossSite, isLocalRequest } from "./local-requests";

/** The admin API, which controls the simulator. Accepts only local requests. */
export function registerAdminRoutes(admin: FastifyInstance, simulation: Simulation): void {
  const { journal, faultRules, rateLimiter } = simulation;
  admin.addHook("onRequest", async ({ headers }) => {
    const rule = isCrossSite(headers)
      ? "not available to the pages of other sites"
      : !isLocalRequest(headers) && "only available under the name or address of this machine";
    if (rule) throw new ApiError(403, "FORBIDDEN", `/__admin/ is ${rule}`);
  });

  admin.get("/health", async () => ({ status: "ok" }));
  admin.get("/state", async () => {
    const { alerts, dashboards } = simulation.state;
    const organizations = describeOrganizations(simulation.state);
    const objects = { organizations, alerts: [...alerts.values()], dashboards };
    return { ...redact(objects), faults: faultRules.listed(), rateLimit: rateLimiter.limit() };
  });
  admin.post("/reset", async () => {
    await simulation.reset();
    return { status: "reset" };
  });
  admin.put<{ Body: Seed }>("/seed", async ({ body }) => {
    assertValid(Seed, body);
    await simulation.reset(body);
    return { status: "seeded" };
  });

  admin.get("/requests", async () => {
    const requests = journal.list();
    return { count: requests.length, requests };
  });
  admin.delete("/requests", async () => {
    journal.clear();
    return { status: "cleared" };
  });

  admin.get("/faults", async () => ({ faults: faultRules.listed() }));
  admin.put<{ Body: Faults }>("/faults", async ({ body }) => {
    assertValid(Faults, body);
    simulation.setConditions(body);
    return { faults: faultRules.listed() };
  });
  admin.get("/rate-limit", async () => rateLimiter.limit() ?? {});
  admin.put<{ Body: RateLimit }>("/rate-limit", async ({ body }) => {
    assertValid(RateLimit, body);
    simulation.setConditions({ rateLimit: body });
    return body;
  });
  admin.delete("/rate-limit", async () => {
    simulation.setConditions({ rateLimit: undefined });
    return {};
  });

  const time = () => ({ now: new Date(simulation.now()).toISOString() });
  admin.get("/clock", async () => time());
  admin.put<{ Body: Clock }>("/clock", async ({ body }) => {
    assertValid(Clock, body);
    simulation.advance(body.advanceSeconds * 1000);
    return time();
  });
}
