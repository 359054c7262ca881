import type { FastifyInstance } from "fastify";
import { ApiError, badRequest, notFound } from "../operations/api-error";
import { findSchemaError } from "../operations/validation";
import type { SchemaName } from "../schema/document";
import type { FaultRule } from "../simulation/fault-rules";
import type { JournalQuery } from "../simulation/journal";
import type { RateLimit } from "../simulation/rate-limit";
import { createRecording, type Recording } from "../simulation/recording";
import { redact } from "../simulation/redact";
import type { Seed } from "../simulation/seed";
import type { Simulation } from "../simulation/simulation";
import { type Credentials, serializeOrganization, serializeService } from "../state/state";
import { authenticate } from "./authentication";
import { registerEventStream } from "./event-stream";
import { isCrossSite, isLocalRequest } from "./local-requests";

/** Room for the longest recording of ordinary requests. */
const MAX_RECORDING_BYTES = 32 * 1024 * 1024;

/** The admin API, which controls the simulator. Requests that are not local need the API key. */
export function registerAdminRoutes(admin: FastifyInstance, simulation: Simulation): void {
  admin.addHook("onRequest", async ({ socket, headers }) => {
    if (isCrossSite(headers)) {
      throw new ApiError(403, "FORBIDDEN", "/__admin/ is not available to the pages of other sites");
    }
    if (isLocalRequest(socket.remoteAddress ?? "", headers)) return;
    authenticate(headers.authorization, "Basic", simulation.credentials);
  });
  admin.get("/health", async () => ({ status: "ok" }));
  admin.get("/state", async () => describeState(simulation));
  registerEventStream(admin, simulation);

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
    simulation.setConditions({});
    return { status: "cleared" };
  });

  admin.get("/recording", async () => createRecording(simulation.journal, simulation.state));
  admin.post<{ Body: Recording }>("/recording", { bodyLimit: MAX_RECORDING_BYTES }, async ({ body }) => {
    assertValid("Recording", body);
    // Loaded here, because a start must be quick.
    const { diffRecordings } = require("../simulation/recording-diff") as typeof import("../simulation/recording-diff");
    return { difference: diffRecordings(body, createRecording(simulation.journal, simulation.state)) ?? null };
  });

  const { faultRules, events } = simulation;
  const listFaults = () => redact({ faults: faultRules.active() });
  const changeFault = (id: string, change: () => void) => {
    if (!faultRules.active().some((rule) => rule.id === id)) throw notFound(`fault ${id} is not active`);
    change();
    events.emit("steered");
    return listFaults();
  };
  admin.get("/faults", async () => listFaults());
  admin.put<{ Body: { faults: FaultRule[] } }>("/faults", async ({ body }) => {
    assertValid("Faults", body);
    simulation.setConditions({ faults: body.faults });
    return listFaults();
  });
  admin.post<{ Body: FaultRule }>("/faults", async ({ body }) => {
    assertValid("FaultRule", body);
    faultRules.add(body);
    events.emit("steered");
    return listFaults();
  });
  admin.patch<{ Params: { id: string }; Body: { enabled: boolean } }>(
    "/faults/:id",
    async ({ params: { id }, body }) => {
      assertValid("FaultSwitch", body);
      return changeFault(id, () => faultRules.setEnabled(id, body.enabled));
    },
  );
  admin.delete<{ Params: { id: string } }>("/faults/:id", async ({ params: { id } }) =>
    changeFault(id, () => faultRules.remove(id)),
  );
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

  admin.get("/credentials", async () => simulation.credentials);
  admin.put<{ Body: Partial<Credentials> }>("/credentials", async ({ body }) => {
    assertValid("Credentials", body);
    await simulation.rotateCredentials(body);
    return { status: "changed" };
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

/** All objects, faults and the rate limit, redacted. */
function describeState({ state, faultRules, rateLimiter }: Simulation) {
  const organizations = [...state.organizations.values()].map((organization) => ({
    ...serializeOrganization(organization),
    services: [...organization.services.values()].map(serializeService),
  }));
  const alerts = [...state.alerts.values()];
  const [faults, rateLimit] = [faultRules.active(), rateLimiter.limit()];
  return redact({ organizations, alerts, dashboards: state.dashboards, faults, rateLimit });
}
