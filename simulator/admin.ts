import type { FastifyInstance } from "fastify";
import type { FaultRule } from "./faults";
import { Problem } from "./problem";
import type { Credentials, Simulation } from "./simulation";

/** What tests and people steer the simulator by. Only from this machine. */
export function addAdmin(admin: FastifyInstance, simulation: Simulation): void {
  const { world, journal, faults, reset } = simulation;
  admin.addHook("onRequest", async ({ socket }) => {
    const isLocal = /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "");
    if (!isLocal) throw new Problem(403, "FORBIDDEN", "only from the simulator's own machine");
  });
  admin.get("/health", async () => ({ status: "ok" }));
  admin.get("/state", async () => ({
    organizations: [...world.organizations.values()].map(({ services, ...organization }) => ({
      ...organization,
      services: [...services.values()].map(({ pipes, ...service }) => ({ ...service, pipes: [...pipes.values()] })),
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
  admin.put<{ Body: Partial<Credentials> }>("/credentials", async ({ body }) => {
    simulation.credentials = { ...simulation.credentials, ...body };
    return { status: "changed" };
  });
  admin.get("/faults", async () => ({ faults: faults.rules() }));
  admin.put<{ Body: { faults: FaultRule[] } }>("/faults", async ({ body }) => {
    faults.replace(body.faults);
    return { faults: faults.rules() };
  });
}
