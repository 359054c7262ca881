import { serviceScaling as scalingType } from "../../provider/resources/service-scaling/service-scaling";
import { EXAMPLE } from "../support/example";
import { runPrograms, useSeededSimulator } from "./seeded";
import { checkInputs, createHandlers } from "./support";

/** The real handlers of a ServiceScaling against the seeded simulator. */

const {
  service: SERVICE,
  pipes: { kafka: KAFKA },
} = EXAMPLE;
const seeded = useSeededSimulator();

describe("ServiceScaling", () => {
  const scaling = () => createHandlers(scalingType, seeded.simulator);
  const SCALE = "PATCH /services/{id}/replicaScaling";
  const GET = "GET /services/{id}";

  test("a ServiceScaling reads, updates what differs, and sends each changed field alone", async () => {
    const same = { serviceId: SERVICE, numReplicas: 3 };
    const { requests, outs } = await runPrograms(
      seeded.api,
      scaling(),
      same,
      same,
      { ...same, numReplicas: 4 },
      { ...same, numReplicas: 4, idleScaling: false },
      { serviceId: SERVICE, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 128, idleTimeoutMinutes: 30 },
    );
    expect(requests).toEqual([
      [GET],
      [],
      [[SCALE, { numReplicas: 4 }]],
      [[SCALE, { idleScaling: false }]],
      [[SCALE, { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 128, idleTimeoutMinutes: 30 }]],
    ]);
    expect(outs).toMatchObject({ numReplicas: 4, serviceId: SERVICE });
  });

  test("a ServiceScaling detects drift, announces its release, and is replaced for another service", async () => {
    const handlers = scaling();
    const { id, outs } = await runPrograms(seeded.api, handlers, { serviceId: SERVICE, numReplicas: 3 });
    await seeded.api.change("PATCH", `/${SERVICE}/replicaScaling`, { numReplicas: 7 });
    expect((await handlers.read(id, outs)).inputs).toMatchObject({ numReplicas: 7 });
    expect(await seeded.api.requests()).toHaveLength(1);
    await handlers.delete(id, outs);
    expect(await seeded.api.requests()).toEqual([]);
    expect(handlers.messages.at(-1)).toBe(
      `The scaling of service ${SERVICE} keeps its current settings; it is only removed from the stack. [CDB5004]`,
    );
    const other = await checkInputs(handlers, { serviceId: KAFKA, numReplicas: 3 });
    expect(await handlers.diff(id, outs, other)).toMatchObject({ replaces: ["serviceId"] });
  });
});
