import type { FastifyInstance } from "fastify";
import { badRequest, Problem } from "../api/problem";
import { complaintAbout } from "../api/validation";
import type { RateLimit } from "../faults/rate-limit";
import type { FaultRule } from "../faults/rules";
import type { Credentials, Simulation } from "../simulation";
import type { Seed } from "../world/seed";
import { plainOrganization, plainService } from "../world/world";
import type { JournalQuery } from "./journal";
import { redacted } from "./redacted";
import { addStream } from "./stream";
import { isTrusted } from "./trusted";

/** What tests and people steer the simulator by. Only from this machine, and from no other site's pages. */
export function addAdmin(admin: FastifyInstance, simulation: Simulation): void {
  admin.addHook("onRequest", async ({ socket, headers }) => {
    if (isTrusted(socket.remoteAddress ?? "", headers)) return;
    throw new Problem(403, "FORBIDDEN", "only from the simulator's own machine and page");
  });
  admin.get("/health", async () => ({ status: "ok" }));
  admin.get("/state", async () => stateOf(simulation));
  addStream(admin, simulation);

  admin.post("/reset", async () => {
    await simulation.reset();
    return { status: "reset" };
  });
  admin.put<{ Body: Seed }>("/seed", async ({ body }) => {
    refuseUnless("Seed", body);
    await simulation.sow(body);
    return { status: "seeded" };
  });

  admin.get<{ Querystring: JournalQuery }>("/requests", async ({ query }) => {
    refuseUnless("JournalQuery", query);
    const requests = simulation.journal.find(query);
    return { count: requests.length, requests };
  });
  admin.delete("/requests", async () => {
    simulation.journal.clear();
    simulation.steer({});
    return { status: "cleared" };
  });

  admin.get("/faults", async () => redacted({ faults: simulation.faults.rules() }));
  admin.put<{ Body: { faults: FaultRule[] } }>("/faults", async ({ body }) => {
    refuseUnless("Faults", body);
    simulation.steer({ faults: body.faults });
    return redacted({ faults: simulation.faults.rules() });
  });
  admin.get("/rate-limit", async () => simulation.rateLimiter.limit() ?? {});
  admin.put<{ Body: RateLimit }>("/rate-limit", async ({ body }) => {
    refuseUnless("RateLimit", body);
    simulation.steer({ rateLimit: body });
    return body;
  });
  admin.delete("/rate-limit", async () => {
    simulation.steer({ rateLimit: undefined });
    return {};
  });

  admin.put<{ Body: Partial<Credentials> }>("/credentials", async ({ body }) => {
    refuseUnless("Credentials", body);
    await simulation.rotate(body);
    return { status: "changed" };
  });
  admin.get("/clock", async () => ({ now: new Date(simulation.clock.now()).toISOString() }));
  admin.put<{ Body: { advanceSeconds: number } }>("/clock", async ({ body }) => {
    refuseUnless("Clock", body);
    simulation.clock.advance(body.advanceSeconds * 1000);
    return { now: new Date(simulation.clock.now()).toISOString() };
  });
}

function refuseUnless(schema: Parameters<typeof complaintAbout>[0], value: unknown): void {
  const complaint = complaintAbout(schema, value);
  if (complaint !== undefined) throw badRequest(complaint);
}

/** All that exists and all that hampers it, without secrets. */
function stateOf({ world, faults, rateLimiter }: Simulation) {
  const organizations = [...world.organizations.values()].map((organization) => ({
    ...plainOrganization(organization),
    services: [...organization.services.values()].map(plainService),
  }));
  const { dashboards } = world;
  const alerts = [...world.alerts.values()];
  return redacted({ organizations, alerts, dashboards, faults: faults.rules(), rateLimit: rateLimiter.limit() });
}
