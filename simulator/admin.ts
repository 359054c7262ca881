import type { FastifyInstance } from "fastify";
import type { FaultRule } from "./faults";
import { Problem } from "./problem";
import type { Simulation } from "./server";

/** What tests and people steer the simulator by. Only from this machine. */
export function addAdmin(admin: FastifyInstance, { world, journal, faults, reset }: Simulation): void {
  admin.addHook("onRequest", async ({ socket }) => {
    const isLocal = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
    if (!isLocal) throw new Problem(403, "FORBIDDEN", "only from the simulator's own machine");
  });
  admin.get("/health", async () => ({ status: "ok" }));
  admin.get("/state", async () => ({
    organizations: [...world.organizations.values()].map(({ services, ...organization }) => ({
      ...organization,
      services: [...services.values()],
    })),
  }));
  admin.post("/reset", async () => {
    reset();
    journal.clear();
    faults.replace([]);
    return { status: "reset" };
  });
  admin.get("/requests", async () => ({ requests: journal.entries() }));
  admin.delete("/requests", async () => {
    journal.clear();
    return { status: "cleared" };
  });
  admin.get("/faults", async () => ({ faults: faults.rules() }));
  admin.put<{ Body: { faults: FaultRule[] } }>("/faults", async ({ body }) => {
    faults.replace(body.faults);
    return { faults: faults.rules() };
  });
}
