import { render } from "../../../../provider/errors";
import { createDynamicRuntime } from "../../../../provider/hosts/dynamic";
import { ENTRY, entryText, parseUrn, RESOURCE_NAME, URN } from "../../../../provider/names";
import { resources } from "../../../../provider/resources";
import { ADAPTER } from "../../../support/adapters/adapter";
import type { Failure, Host, Properties } from "../../../support/adapters/handlers";
import { startNativeEngine } from "../../../support/adapters/native";
import { plain } from "../../../support/adapters/values";

/** The operations of one process as the engine calls them: by URN, with everything that a state holds. */
export interface Operations {
  /** Messages to the user. */
  readonly messages: string[];
  check(urn: string, oldInputs: Properties, args: Properties): Promise<{ inputs: Properties; reasons: string[] }>;
  diff(urn: string, id: string, outputs: Properties, oldInputs: Properties, inputs: Properties): Promise<Difference>;
  create(urn: string, inputs: Properties): Promise<{ id: string; outputs: Properties }>;
  update(urn: string, id: string, outputs: Properties, inputs: Properties): Promise<Properties>;
  /** The object's state; undefined if the object is gone. */
  read(urn: string, id: string, outputs: Properties): Promise<Current | undefined>;
  delete(urn: string, id: string, outputs: Properties): Promise<void>;
}

interface Difference {
  /** True if there are changes; if undefined, the engine compares the inputs. */
  readonly changes: boolean | undefined;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

interface Current {
  readonly inputs: Properties;
  readonly outputs: Properties;
}

export type ResourceType = "Service" | "ServiceAccess";

export const startOperations: (host: Host) => Operations = { dynamic: startDynamic, native: startNative }[ADAPTER];

/** The type of a resource in its URN. */
export const TYPE_TOKEN: (type: ResourceType) => string = {
  dynamic: (type: ResourceType) => `pulumi-nodejs:dynamic/clouddb:${type}`,
  native: (type: ResourceType) => `clouddb:index:${type}`,
}[ADAPTER];

function startDynamic(host: Host): Operations {
  const messages: string[] = [];
  const { providerFor } = createDynamicRuntime({ ...host, log: (line) => messages.push(render(line)) });
  const typeOf = (urn: string) => parseUrn(urn).type.split(":").at(-1) as ResourceType;
  const at = (urn: string) => providerFor(resources[typeOf(urn)].definition);
  return {
    messages,
    async check(urn, oldInputs, args) {
      const added = { [RESOURCE_NAME]: parseUrn(urn).name, [URN]: urn, [ENTRY]: entryText(typeOf(urn)) };
      const { inputs, failures = [] } = await at(urn).check(oldInputs, { ...args, ...added });
      return { inputs, reasons: failures.map(({ reason }) => reason) };
    },
    async diff(urn, id, outputs, _, inputs) {
      const { changes, replaces = [], deleteBeforeReplace = false } = await at(urn).diff(id, outputs, inputs);
      return { changes, replaces, deleteBeforeReplace };
    },
    async create(urn, inputs) {
      const { id, outs } = await at(urn).create(inputs);
      return { id, outputs: outs };
    },
    update: async (urn, id, outputs, inputs) => (await at(urn).update(id, outputs, inputs)).outs,
    async read(urn, id, outputs) {
      const current = await at(urn).read(id, outputs);
      return current.id ? { inputs: current.inputs, outputs: current.props } : undefined;
    },
    delete: (urn, id, outputs) => at(urn).delete(id, outputs),
  };
}

function startNative(host: Host): Operations {
  const { engine, messages } = startNativeEngine(host);
  const typeOf = (urn: string) => parseUrn(urn).type.split(":").at(-1) as string;
  const throwPlain = (failure: Failure): never => {
    throw failure.properties ? Object.assign(failure, { properties: plain(failure.properties) }) : failure;
  };
  return {
    messages,
    async check(urn, oldInputs, args) {
      const { inputs, failures } = await engine.check(typeOf(urn), urn, args, oldInputs);
      return { inputs: plain(inputs), reasons: failures.map(({ reason }) => reason) };
    },
    async diff(urn, id, outputs, oldInputs, inputs) {
      const { changes, ...rest } = await engine.diff(typeOf(urn), urn, id, outputs, inputs, oldInputs);
      return { ...rest, changes: changes === "unknown" ? undefined : changes === "some" };
    },
    async create(urn, inputs) {
      const { id, state } = await engine.create(typeOf(urn), urn, inputs).catch(throwPlain);
      return { id, outputs: plain(state) };
    },
    update: async (urn, id, outputs, inputs) =>
      plain(await engine.update(typeOf(urn), urn, id, outputs, inputs).catch(throwPlain)),
    async read(urn, id, outputs) {
      const { id: found, inputs, state } = await engine.read(typeOf(urn), urn, id, outputs, {});
      return found === "" ? undefined : { inputs: plain(inputs), outputs: plain(state) };
    },
    delete: (urn, id, outputs) => engine.delete(typeOf(urn), urn, id, outputs),
  };
}
