import * as grpc from "@grpc/grpc-js";
import { PolicyPack, type ReportViolation, type ResourceValidationArgs } from "@pulumi/policy";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/analyzer_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import * as clouddb from "pulumi-clouddb";
import * as internals from "./pulumi-internals";

// With a pack of the SDK: if a new SDK fails one of these tests, the function of the same name no
// longer fits it.

let validate: (args: ResourceValidationArgs, report: ReportViolation) => void = () => {};
let client: AnalyzerClient;
let server: grpc.Server;
let findError: jest.Mock<string | undefined>;
const receive = jest.fn();

beforeAll(async () => {
  findError = jest.fn();
  internals.checkConfigurationWith(findError);
  internals.interceptResources(receive);
  const bind = jest.spyOn(grpc.Server.prototype, "bindAsync");
  const log = jest.spyOn(console, "log").mockImplementation(() => {});
  const policy = {
    name: "theirs",
    description: "one",
    validateResource: (args: ResourceValidationArgs, report: ReportViolation) =>
      validate(args, report),
  };
  new PolicyPack("pack", { policies: [policy] });
  while (log.mock.calls.length === 0) await new Promise(setImmediate);
  const [port] = log.mock.calls[0] as [string];
  server = bind.mock.contexts[0] as grpc.Server;
  log.mockRestore();
  bind.mockRestore();
  client = new AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
});
afterAll(() => {
  client.close();
  server.forceShutdown();
});

type Done<Response> = (error: grpc.ServiceError | null, response: Response) => void;
const call = <Response>(send: (done: Done<Response>) => void) =>
  new Promise<Response>((resolve, reject) =>
    send((error, response) => (error ? reject(error) : resolve(response))),
  );

/** Passes a configuration file's entry to the pack, as the engine does. */
async function configure(level: proto.EnforcementLevel, settings: object): Promise<void> {
  await call<proto.AnalyzerInfo>((done) => client.getAnalyzerInfo(new Empty(), done));
  const config = new proto.PolicyConfig();
  config.setEnforcementlevel(level);
  config.setProperties(Struct.fromJavaScript(settings as never));
  const request = new proto.ConfigureAnalyzerRequest();
  request.getPolicyconfigMap().set("theirs", config);
  await call<Empty>((done) => client.configure(request, done));
}

/** Passes a resource to the policy, as the engine does. */
async function analyze(
  properties: object,
  check: typeof validate,
): Promise<proto.AnalyzeDiagnostic.AsObject[]> {
  validate = check;
  const request = new proto.AnalyzeRequest();
  request.setType("clouddb:index:Service");
  request.setUrn("urn:analytics");
  request.setProperties(Struct.fromJavaScript(properties as never));
  const options = new proto.AnalyzerResourceOptions();
  options.setCustomtimeouts(new proto.AnalyzerResourceOptions.CustomTimeouts());
  request.setOptions(options);
  const response = await call<proto.AnalyzeResponse>((done) => client.analyze(request, done));
  return response.getDiagnosticsList().map((diagnostic) => diagnostic.toObject());
}

test("interceptResources: the callback gets this provider's resources, as the engine marks them", async () => {
  const properties = {
    name: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "one" },
  };
  const seen: unknown[] = [];
  await analyze(properties, ({ props }) => seen.push(props.name, receive.mock.lastCall));
  expect(seen).toEqual(["one", [[{ urn: "urn:analytics", properties }]]]);

  const resource = new proto.AnalyzerResource();
  resource.setUrn("urn:other");
  resource.setType("clouddb:index:Pipe");
  resource.setProperties(Struct.fromJavaScript(properties));
  const foreign = new proto.AnalyzerResource();
  foreign.setType("aws:s3/bucket:Bucket");
  const request = new proto.AnalyzeStackRequest();
  request.setResourcesList([resource, foreign]);
  await call<proto.AnalyzeResponse>((done) => client.analyzeStack(request, done));
  expect(receive.mock.calls.slice(1)).toEqual([[[{ urn: "urn:other", properties }]]]);
});

test("checkConfigurationWith: the callback gets settings, levels, and the pack's policy names", async () => {
  for (const level of ["advisory", "mandatory", "disabled", "remediate"] as const) {
    await configure(proto.EnforcementLevel[level.toUpperCase() as Uppercase<typeof level>], {
      top: 1,
    });
    expect(findError).toHaveBeenLastCalledWith({ theirs: { enforcementLevel: level, top: 1 } }, [
      "theirs",
    ]);
  }
});

test("checkConfigurationWith: the engine gets only the error, without a stack trace", async () => {
  findError.mockReturnValueOnce("one sentence");
  const failure = await configure(proto.EnforcementLevel.ADVISORY, {}).catch(
    (error: Error) => error,
  );
  expect((failure as grpc.ServiceError).details).toMatch(/one sentence$/);
  await configure(proto.EnforcementLevel.ADVISORY, {});
});

test("plainError: the engine gets the message of a failed policy without a stack trace", async () => {
  const failing = analyze({}, () => {
    throw internals.plainError("one sentence");
  });
  const { details } = (await failing.catch((error) => error)) as grpc.ServiceError;
  expect(details).toContain("one sentence");
  expect(details).not.toContain("\n    at ");
});

test("unknownValueError: the engine gets an advisory with the given message", async () => {
  const diagnostics = await analyze({}, () => {
    throw internals.unknownValueError("name is not known yet");
  });
  expect(diagnostics).toMatchObject([
    {
      enforcementlevel: proto.EnforcementLevel.ADVISORY,
      message: expect.stringMatching(/^can't run policy .* during preview: name is not known yet$/),
    },
  ]);
});

const { ADVISORY, MANDATORY } = proto.EnforcementLevel;

test.each([
  ["advisory", ADVISORY, MANDATORY],
  ["mandatory", MANDATORY, ADVISORY],
] as const)(
  "reportAt: a policy of the other level reports the message at the level %s",
  async (level, reported, other) => {
    await configure(other, {});
    const diagnostics = await analyze({}, (_, report) => {
      internals.reportAt(level, report, "exempted", "urn:analytics");
      report("refused", "urn:analytics");
    });
    expect(diagnostics).toMatchObject([
      { enforcementlevel: reported, message: "exempted", urn: "urn:analytics" },
      { enforcementlevel: other, message: "one\nrefused", urn: "urn:analytics" },
    ]);
  },
);

test("isClassOf: a type matches a class as in the SDK", async () => {
  const classes = [
    clouddb.Service,
    clouddb.Pipe,
    { isInstance: () => true },
    { isInstance: () => false },
  ];
  const types = ["clouddb:index:Service", clouddb.Service.__pulumiType];
  const answers: boolean[] = [];
  await analyze(
    {},
    ({ isType }) => void answers.push(...classes.map((item) => isType(item as never))),
  );
  expect(answers).toEqual(
    classes.map((item) => internals.isClassOf("clouddb:index:Service", item as never)),
  );
  expect(types.map((type) => internals.isClassOf(type, clouddb.Service))).toEqual([false, true]);
});
