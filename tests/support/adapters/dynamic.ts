import type { dynamic } from "@pulumi/pulumi";
import { createDynamicRuntime } from "../../../provider/hosts/dynamic";
import { entryText } from "../../../provider/names";
import type { Failure, Handlers, Properties } from "./handlers";
import type { Host, LocalProcess } from "./index";
import { typeName } from "./type-name";

/** Our runtime as Pulumi's dynamic provider calls it. */
export function startDynamic(host: Host): LocalProcess {
  const messages: string[] = [];
  const debugLines: string[] = [];
  const { providerFor } = createDynamicRuntime({
    ...host,
    log: (line) => messages.push(line),
    debug: (line) => debugLines.push(line),
  });
  return {
    messages,
    debugLines,
    plainText: () => "",
    handlersFor: (type, name = "db") => handlersBehind(providerFor(type), entryText(typeName(type)), name),
  };
}

type Provider = Required<dynamic.ResourceProvider> | Handlers;

/** Handlers with the properties that resource classes pass through the engine: the entry, and the resource's name. */
export function handlersBehind(provider: Provider, entry: string, name: string): Handlers {
  const withEntry = (properties: Properties) => ({ ...properties, __provider: entry });
  const urn = `urn:pulumi:dev::test::pulumi-nodejs:dynamic/clouddb:${entry.split(".").at(-1)}::${name}`;
  /** Inputs as the engine stores them; the class adds the URN, and check keeps it. */
  const withUrn = (inputs: Properties) => withEntry({ ...inputs, __urn: urn });
  const run = async <Result>(operation: Promise<Result>) =>
    operation.catch((failure: Failure) => {
      if (failure.properties === undefined) throw failure;
      expect(failure.properties.__provider).toBe(entry);
      throw Object.assign(failure, { properties: withoutEntry(failure.properties) });
    });
  return {
    async check(oldInputs, args) {
      const { inputs, failures = [] } = await provider.check(oldInputs, withUrn({ __resourceName: name, ...args }));
      const { __urn, ...rest } = withoutEntry(inputs);
      expect(__urn).toBe(urn);
      return { inputs: rest, failures };
    },
    async diff(id, state, inputs) {
      const {
        replaces = [],
        deleteBeforeReplace = false,
        ...changes
      } = await provider.diff(id, withEntry(state), withUrn(inputs));
      return { ...changes, replaces, deleteBeforeReplace };
    },
    async create(inputs) {
      const { id, outs } = await run(provider.create(withUrn(inputs)));
      return { id, outs: withoutEntry(outs) };
    },
    update: async (id, state, inputs) => ({
      outs: withoutEntry((await run(provider.update(id, withEntry(state), withUrn(inputs)))).outs),
    }),
    async read(id, state) {
      const { id: match, props, inputs } = await run(provider.read(id, withEntry(state)));
      return match ? { id: match, props: withoutEntry(props), inputs: withoutEntry(inputs) } : {};
    },
    delete: (id, state) => run(provider.delete(id, withEntry(state))),
  };
}

function withoutEntry({ __provider, ...properties }: Properties = {}): Properties {
  return properties;
}
