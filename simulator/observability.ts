import type { FastifyInstance } from "fastify";
import { notFound } from "./problem";
import type { Simulation } from "./simulation";

/** Interface B: alerts and dashboards, as the seed has them. */
export function addObservability(api: FastifyInstance, { world }: Simulation): void {
  api.get<{ Params: { id: string } }>("/api/v2/alerts/:id", async ({ params }) => {
    const data = world.alerts.find((alert) => alert.id === params.id);
    if (data === undefined) throw notFound(`alert ${params.id} does not exist`);
    return { data };
  });
  api.get("/api/v2/dashboards", async () => ({ data: world.dashboards }));
}
