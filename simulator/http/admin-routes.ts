import type { FastifyInstance } from "fastify";
import { ApiError, badRequest } from "../operations/api-error";
import { findSchemaError } from "../operations/validation";
import type { SchemaName } from "../schema/document";
import type { FaultRule } from "../simulation/fault-rules";
import type { JournalQuery } from "../simulation/journal";
import type { RateLimit } from "../simulation/rate-limit";
import { redact } from "../simulation/redact";
import type { Seed } from "../simulation/seed";
import type { Simulation } from "../simulation/simulation";
import { serializeOrganization, serializeService } from "../state/state";
import { isCrossSite, isLocalRequest } from "./local-requests";

/** The admin API, which controls the simulator, for local requests only. */
export function registerAdminRoutes(admin: FastifyInstance, simulation: Simulation): void {
  admin.addHook("onRequest", async ({ socket, headers }) => {
    if (isCrossSite(headers)) {
      throw new ApiError(403, "FORBIDDEN", "/__admin/ is not available to the pages of other sites");
    }
    if (!isLocalRequest(socket.remoteAddress ?? "", headers)) {
      throw new ApiError(403, "FORBIDDEN", "/__admin/ is only available under the name or address of this machine");
    }
  });
  admin.get("/health", async () => ({ status: "ok" }));
  admin.get("/state", async () => describeState(simulation));

  admin.post("/reset", async () => {
    await simulation.reset();
    return { status: "reset" };
  });
  admin.put<{ Body: Seed }>("/seed", async ({ body }) => {
    assertValid("Seed", body);
    await simulation.replaceState(body);
    return { status: "seeded" };
  });

  admin.get<{ Querystring: JournalQuery }>("/requests", async ({ query }) => {
    assertValid("JournalQuery", query);
    const requests = simulation.journal.find(query);
    return { count: requests.length, requests };
  });
  admin.delete("/requests", async () => {
    simulation.journal.clear();
    return { status: "cleared" };
  });

  const listFaults = () => ({ faults: simulation.faultRules.listed() });
  admin.get("/faults", async () => listFaults());
  admin.put<{ Body: { faults: FaultRule[] } }>("/faults", async ({ body }) => {
    assertValid("Faults", body);
    simulation.setConditions({ faults: body.faults });
    return listFaults();
  });
  admin.get("/rate-limit", async () => simulation.rateLimiter.limit() ?? {});
  admin.put<{ Body: RateLimit }>("/rate-limit", async ({ body }) => {
    assertValid("RateLimit", body);
    simulation.setConditions({ rateLimit: body });
    return body;
  });
  admin.delete("/rate-limit", async () => {
    simulation.setConditions({ rateLimit: undefined });
    return {};
  });

  admin.get("/clock", async () => ({ now: new Date(simulation.clock.now()).toISOString() }));
  admin.put<{ Body: { advanceSeconds: number } }>("/clock", async ({ body }) => {
    assertValid("Clock", body);
    simulation.clock.advance(body.advanceSeconds * 1000);
    return { now: new Date(simulation.clock.now()).toISOString() };
  });
}

function assertValid(schema: SchemaName, value: unknown): void {
  const error = findSchemaError(schema, value);
  if (error !== undefined) throw badRequest(error);
}

/** All objects, redacted, with faults and rate limit. */
function describeState({ state, faultRules, rateLimiter }: Simulation) {
  const organizations = [...state.organizations.values()].map((organization) => ({
    ...serializeOrganization(organization),
    services: [...organization.services.values()].map(serializeService),
  }));
  const alerts = [...state.alerts.values()];
  const objects = redact({ organizations, alerts, dashboards: state.dashboards });
  return { ...objects, faults: faultRules.listed(), rateLimit: rateLimiter.limit() };
}
