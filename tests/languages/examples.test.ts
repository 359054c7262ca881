import seed from "../../simulator/seeds/example.json";
import { expectOk, simulated } from "../engine/support/stack";
import { EXAMPLE } from "../support/example";
import { inLanguage, languageExample, requestsTo } from "./support";

const LANGUAGES = ["yaml", "python", "go"] as const;
const PIPELINE = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka, kafkaPassword: "hush-hush" };

for (const language of LANGUAGES) {
  inLanguage(language, () => {
    test("quickstart: one request, and a protected service", async () => {
      const api = await simulated();
      const stack = await languageExample(api, `quickstart-${language}`);
      expect(await expectOk(stack.preview())).toContain("+ 2 to create");
      expect(await requestsTo(api)).toEqual([]);
      const output = await expectOk(stack.up());
      expect(output).toMatch(/password : \[secret\]/);
      expect(output).not.toMatch(/warning/);
      expect(await requestsTo(api)).toEqual(["POST /services"]);
      expect(await expectOk(stack.preview())).toContain("2 unchanged");
      expect(await requestsTo(api)).toEqual([]);
      expect(await expectOk(stack.pulumi("stack", "export"))).toContain('"protect": true');
    });
  });
}

for (const language of ["yaml", "python"] as const) {
  inLanguage(language, () => {
    test("pipeline: an adopted service, its size and its pipe, with a secret", async () => {
      const api = await simulated({ seed: seed as never });
      const stack = await languageExample(api, `pipeline-${language}`, PIPELINE);
      const output = await expectOk(stack.up());
      expect(output).toMatch(/replicas: 3\s+state\s*: "Running"/);
      const requests = await api.requests();
      expect(requests.map(({ request }) => request).sort()).toEqual([
        "GET /services/{id}",
        "GET /services/{id}",
        "GET /services/{id}/pipes/{id}",
        "PATCH /services/{id}",
        "PATCH /services/{id}/pipes/{id}",
      ]);
      expect(requests.find(({ request }) => request === "PATCH /services/{id}/pipes/{id}")?.body).toEqual({
        source: { kafka: { credentials: "[secret]" } },
        settings: { streaming_max_insert_wait_ms: 5000 },
      });
      expect(await expectOk(stack.pulumi("stack", "export"))).not.toContain("hush-hush");

      await expectOk(stack.pulumi("config", "set", "maxReplicaMemoryGb", "128"));
      expect(await expectOk(stack.preview())).toMatch(/maxReplicaMemoryGb: 64 => 128/);
      expect(await requestsTo(api)).toEqual([]);
      await expectOk(stack.up());
      expect(await requestsTo(api)).toEqual(["PATCH /services/{id}/replicaScaling"]);
    });
  });
}
