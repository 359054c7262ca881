import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import {
  AnalyzeRequest,
  type AnalyzeResponse,
  type AnalyzerInfo,
  AnalyzerResourceOptions,
  ConfigureAnalyzerRequest,
  PolicyConfig,
} from "@pulumi/pulumi/proto/analyzer_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { version } from "../../../policies/package.json";
import { policies } from "../../../policies/rules";
import { testHome } from "../../engine/support/stack";

/** The pack as CLIs since 3.255 start it: one file, in a folder that has nothing else. */

let pack: ChildProcess;
let client: AnalyzerClient;

beforeAll(async () => {
  const folder = mkdtempSync(join(testHome(), "executable-"));
  const file = join(folder, "clouddb-policies");
  copyFileSync(join(testHome(), "node_modules/pulumi-clouddb-policies/clouddb-policies"), file);
  pack = spawn(file, ["127.0.0.1:1"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(pack.stdout as NodeJS.ReadableStream, "data");
  client = new AnalyzerClient(`127.0.0.1:${`${port}`.trim()}`, credentials.createInsecure());
});

afterAll(() => {
  client?.close();
  pack?.kill();
});

test("the executable pack reports its policies and its version", async () => {
  const info = await new Promise<AnalyzerInfo>((resolve, reject) => {
    client.getAnalyzerInfo(new Empty(), (error, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
  expect([info.getName(), info.getVersion()]).toEqual(["pulumi-clouddb-policies", version]);
  expect(info.getPoliciesList().map((policy) => policy.getName())).toEqual(
    policies.map(({ name }) => name),
  );
});

test("the executable pack refuses invalid settings, and applies valid ones", async () => {
  await expect(configure({ maxGB: 32 })).rejects.toThrow(
    "memory-within-bounds has no setting maxGB",
  );
  await configure({ maxGb: 32 });
  const request = new AnalyzeRequest();
  request.setUrn("urn:pulumi:dev::shop::clouddb:index:Service::analytics");
  request.setType("clouddb:index:Service");
  request.setName("analytics");
  request.setOptions(new AnalyzerResourceOptions());
  request.setProperties(Struct.fromJavaScript({ name: "analytics", maxReplicaMemoryGb: 64 }));
  const answer = await new Promise<AnalyzeResponse>((resolve, reject) => {
    client.analyze(request, (error, found) => (error ? reject(error) : resolve(found)));
  });
  const messages = answer
    .getDiagnosticsList()
    .map((item) => `${item.getPolicyname()}: ${item.getMessage()}`);
  expect(messages).toContainEqual(
    expect.stringMatching(/^memory-within-bounds: .*maxReplicaMemoryGb 64 GB is more/s),
  );
});

function configure(settings: Record<string, number>): Promise<Empty> {
  const policy = new PolicyConfig();
  policy.setProperties(Struct.fromJavaScript(settings));
  const request = new ConfigureAnalyzerRequest();
  request.getPolicyconfigMap().set("memory-within-bounds", policy);
  return new Promise((resolve, reject) => {
    client.configure(request, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}
