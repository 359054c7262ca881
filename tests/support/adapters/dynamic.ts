import type { dynamic } from "@pulumi/pulumi";
import { render } from "../../../provider/errors";
import { createDynamicRuntime } from "../../../provider/hosts/dynamic";
import { entryText, parseUrn } from "../../../provider/names";
import { resources } from "../../../provider/resources";
import type { Failure, Handlers, Host, LocalProcess, Properties, ResourceType } from "./handlers";
import { marked, unmarked, withMarks, plain as withoutMarks } from "./values";

/** Our runtime as Pulumi's dynamic provider calls it. */
export function startDynamic(host: Host): LocalProcess {
  const messages: string[] = [];
  const debugLines: string[] = [];
  const { providerFor } = createDynamicRuntime({
    ...host,
    log: (line) => messages.push(render(line)),
    debug: (line) => debugLines.push(render(line)),
  });
  const config = { get: (key: string) => host.configuration?.[key.replace("clouddb:", "")] };
  /** Configured once per process, as Pulumi's plugin does. */
  const providers = new Map<ResourceType, Required<dynamic.ResourceProvider>>();
  return {
    messages,
    debugLines,
    handlersFor(type, name = "db") {
      const known = providers.get(type);
      const provider = known ?? providerFor(resources[type].definition);
      if (known === undefined) void provider.configure({ config } as dynamic.ConfigureRequest);
      providers.set(type, provider);
      return handlersBehind(provider, entryText(type), name);
    },
  };
}

/**
 * The inputs that check has returned last for each URN: the engine marks their secrets in all
 * results.
 */
const checkedInputs = new Map<string, Properties>();

type Provider = Required<dynamic.ResourceProvider> | Handlers;

/**
 * Handlers with the properties that resource classes pass through the engine: the entry, and the
 * resource's name.
 */
export function handlersBehind(provider: Provider, entry: string, name: string): Handlers {
  const type = `pulumi-nodejs:dynamic/clouddb:${entry.split(".").at(-1)}`;
  const isUrn = name.startsWith("urn:");
  const urn = isUrn ? name : `urn:pulumi:dev::test::${type}::${name}`;
  /**
   * Inputs and outputs as the engine passes them, without marks of secrets: the class adds the
   * other two.
   */
  const stored = (properties: Properties) => ({
    __urn: urn,
    __provider: entry,
    ...withoutMarks(properties),
  });
  function plain(properties: Properties = {}, former = checkedInputs.get(urn)): Properties {
    const answer = marked(withMarks(properties), withMarks(former ?? {}));
    // Pulumi's dynamic provider adds the entry to all that it returns.
    if (isUrn) return unmarked({ ...answer, __provider: entry });
    const { __provider, __urn, ...others } = answer;
    if (__urn !== urn) throw new Error(`the result is of ${__urn}, not of ${urn}`);
    return unmarked(others);
  }
  const run = async <Result>(operation: Promise<Result>) =>
    operation.catch((failure: Failure) => {
      if (failure.properties === undefined) throw failure;
      expect(failure.properties.__provider).toBe(entry);
      throw Object.assign(failure, { properties: plain(failure.properties) });
    });
  return {
    async check(oldInputs, args) {
      const { inputs, failures = [] } = await provider.check(
        // A new resource has no old inputs.
        Object.keys(oldInputs).length > 0 ? stored(oldInputs) : {},
        stored({ __resourceName: isUrn ? parseUrn(urn).name : name, ...args }),
      );
      checkedInputs.set(urn, inputs);
      return { inputs: plain(inputs), failures };
    },
    async diff(id, state, inputs) {
      const {
        replaces = [],
        deleteBeforeReplace = false,
        ...changes
      } = await provider.diff(id, stored(state), stored(inputs));
      return { ...changes, replaces, deleteBeforeReplace };
    },
    async create(inputs) {
      const { id, outs } = await run(provider.create(stored(inputs)));
      return { id, outs: plain(outs) };
    },
    update: async (id, state, inputs) => ({
      outs: plain((await run(provider.update(id, stored(state), stored(inputs)))).outs),
    }),
    async read(id, state, oldInputs) {
      const { id: match, props, inputs } = await run(provider.read(id, stored(state)));
      if (!match) return {};
      // Tests without a URN pass a state that has lost its marks.
      const [outputs, args] = isUrn ? [state, oldInputs] : [];
      return { id: match, props: plain(props, outputs), inputs: plain(inputs, args) };
    },
    delete: (id, state) => run(provider.delete(id, stored(state))),
  };
}
