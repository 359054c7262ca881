import type { Stack } from "../engine/support/stack";
import type { TestApi } from "./api";

/**
 * Applies the pipeline example, in whichever language: a service is adopted, resized, and read by a
 * pipe.
 */
export async function expectPipeline(api: TestApi, stack: Stack): Promise<string> {
  const output = await stack.up();
  expect(output).toMatch(/state\s*: "Running"/);
  const requests = await api.requests();
  expect(requests.map(({ request }) => request).sort()).toEqual([
    "GET /services/{id}",
    "GET /services/{id}",
    "GET /services/{id}/pipes/{id}",
    "PATCH /services/{id}",
    "PATCH /services/{id}/pipes/{id}",
  ]);
  expect(
    requests.find(({ request }) => request === "PATCH /services/{id}/pipes/{id}")?.body,
  ).toEqual({
    source: { kafka: { credentials: "[secret]" } },
    settings: { streaming_max_insert_wait_ms: 5000 },
  });
  expect(JSON.stringify(await stack.resources())).not.toContain("hush-hush");

  // A new size is one request, and the preview shows it.
  await stack.pulumi("config", "set", "maxReplicaMemoryGb", "128");
  expect(await stack.preview()).toMatch(/maxReplicaMemoryGb: 64 => 128/);
  expect(await api.requests()).toEqual([]);
  await stack.up();
  expect(await api.requests()).toMatchObject([
    { request: "PATCH /services/{id}/replicaScaling", body: { maxReplicaMemoryGb: 128 } },
  ]);
  return output;
}
