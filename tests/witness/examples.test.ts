import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { MockMonitor, type MockResourceArgs } from "@pulumi/pulumi/runtime/mocks";
import { dynamicType, nativeType, settingVariable } from "../../provider/names";
import { useSeededSimulator } from "../contract/simulators";
import {
  environmentFor,
  fakeClock,
  type Properties,
  type ResourceType,
  startProcess,
} from "../contract/support";
import { ADAPTER } from "../support/adapters/handlers";
import { startNativeEngine } from "../support/adapters/native";
import { plain, withoutSecrets } from "../support/adapters/values";
import { environmentOf } from "../support/api";
import { up } from "../support/engine/resource";
import type { Stored } from "../support/engine/state";
import { EXAMPLE } from "../support/example";
import { root } from "../support/root";
import { changedLines, placeholders, requestLines } from "./witness";

/**
 * The programs of the examples in this process: resources as their classes register them, and what
 * the handlers of the adapter under test make of them. Functions are calls of the plugin here.
 */

const ids = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka };
const examples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  quickstart: {},
  pipeline: { ...ids, kafkaPassword: "hush-hush" },
  adopt: ids,
  "shared-access": { serviceId: EXAMPLE.service, networks: '["192.0.2.1","203.0.113.0/24"]' },
  accounts: {
    productionUrl: "URL",
    productionSecret: "KEY",
    stagingUrl: "URL",
    stagingSecret: "KEY",
    stagingOrganizationId: EXAMPLE.secondOrganization,
  },
  observability: { alertId: "alert-errors" },
  fleet: {},
};

jest.doMock("pulumi-clouddb", () =>
  require({ dynamic: "../../provider/index", native: "../../provider/native" }[ADAPTER]),
);
const seeded = useSeededSimulator();
const register = jest.spyOn(MockMonitor.prototype, "registerResource");

/** A process of the provider, whose own settings come before those of the environment. */
function hostOf(settings: Properties = {}) {
  const own = Object.entries(settings).map(([key, value]) => [
    settingVariable(key.replace(/^clouddb:/, "")),
    String(value),
  ]);
  return { ...environmentFor(seeded.api), ...Object.fromEntries(own) };
}

/**
 * The parts of a registration that the program and the class decide, but for those of one adapter.
 */
function registrationOf(request: RegisterResourceRequest): object {
  const { protect, retainondelete, deletebeforereplace, ...lists } = request.toObject();
  const inputs = withoutSecrets(request.getObject()?.toJavaScript()) as Properties;
  const own = Object.entries(inputs).filter(([name]) => !name.startsWith("__"));
  return {
    options: { protect, retainondelete, deletebeforereplace },
    secretOutputs: lists.additionalsecretoutputsList,
    aliases: lists.aliasesList.length,
    dependencies: lists.dependenciesList,
    inputs: Object.fromEntries(own.map(([name, value]) => [name.replace("clouddb:", ""), value])),
  };
}

test.each(Object.entries(examples))(
  "the example %s behaves as recorded",
  async (example, given) => {
    const { api: simulator } = seeded;
    const settings: Record<string, Properties> = {};
    const outcomes: Record<string, { stored: Stored | undefined }> = {};
    let last: Promise<unknown> = Promise.resolve();

    /** Creates one resource after the other, so that the order of requests is known. */
    function newResource(args: MockResourceArgs) {
      const result = last.then(() => create(args));
      last = result;
      return result;
    }

    async function create({ type, name, inputs, provider = "" }: MockResourceArgs) {
      if (type.startsWith("pulumi:providers:")) {
        settings[name] = plain(inputs);
        return { id: `${name}-id`, state: inputs };
      }
      const resource = type.split(":").at(-1) as ResourceType;
      const urn = { dynamic: dynamicType, native: nativeType }[ADAPTER](resource);
      const own = settings[provider.split("::").at(-2) ?? ""];
      const { handlersFor, messages } = startProcess(simulator, hostOf(own));
      const handlers = handlersFor(resource, `urn:pulumi:dev::test::${urn}::${name}`);
      const { stored, error } = await up(handlers, undefined, inputs);
      const requests = requestLines(await seeded.api.takeJournal());
      const { action } = await up(handlers, stored, inputs);
      const next = { action, requests: requestLines(await seeded.api.takeJournal()) };
      const outcome = { messages, requests, error: error?.message, stored, next };
      outcomes[name] = outcome;
      // A program would wait for ever for a resource that fails.
      return { id: stored?.id ?? "failed", state: stored?.outputs ?? {} };
    }

    async function call({ token, inputs }: { token: string; inputs: Properties }) {
      await last;
      const { engine } = startNativeEngine({
        environment: { ...hostOf(), ...environmentOf(simulator) },
        clock: fakeClock(),
        random: () => 1,
      });
      return engine.invoke(token.split(":").at(-1) ?? "", inputs);
    }

    await pulumi.runtime.setMocks({ newResource, call }, "test", "dev");
    const config = Object.entries(given).map(([key, value]) => [
      `test:${key}`,
      value === "KEY" ? simulator.keySecret : value === "URL" ? simulator.baseUrl : value,
    ]);
    pulumi.runtime.setAllConfig(Object.fromEntries(config));
    register.mockClear();
    const exports = require(join(root, "examples", example, "index.ts")) as Properties;
    const outputs: Properties = {};
    for (const [name, output] of Object.entries(exports)) {
      outputs[name] = await new Promise((resolve) =>
        (pulumi.output(output) as pulumi.Output<unknown>).apply(resolve),
      );
    }
    await last;
    const recorded = placeholders({
      registrations: register.mock.calls.map(([request]) => registrationOf(request)),
      outcomes,
      outputs,
    });
    expect({
      ...recorded,
      outcomes: Object.entries(recorded.outcomes).map(([name, { stored, ...outcome }]) => ({
        name,
        ...outcome,
        stored: changedLines(undefined, stored),
      })),
    }).toMatchSnapshot();
  },
);
