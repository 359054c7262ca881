import type { dynamic } from "@pulumi/pulumi";
import { wellFormed } from "../api/text";
import * as handlers from "../core/handlers";
import { ownerConflictIn, userArguments } from "../core/handlers";
import type { ResourceType } from "../core/resource-type";
import { createSession, type SessionDependencies } from "../core/session";
import { UserError } from "../core/user-error";
import type { Properties } from "../fields";
import { ENTRY, RESOURCE_NAME, URN } from "../names";
import { findBackend } from "./backend";
import { createOwners } from "./owners";
import { toDynamicError } from "./pulumi-internals";

export interface DynamicRuntime {
  /** A type of resource as Pulumi's dynamic provider runs it. All share one session. */
  readonly providerFor: (type: ResourceType) => Required<dynamic.ResourceProvider>;
  readonly isIdle: () => boolean;
}

/** Puts the handlers' answers into the form of Pulumi's dynamic provider. */
export function createDynamicRuntime(host: SessionDependencies): DynamicRuntime {
  const { dependencies, configure, run } = createSession(host);
  const owners = createOwners();
  const backend = findBackend(host.environment, process.cwd());
  const identityIn = ({ [URN]: urn }: Properties) => ({ backend, urn: String(urn) });
  const conflictOf = (type: ResourceType, properties: Properties, id?: string) => {
    const args = handlers.applySettings(type, dependencies, userArguments(properties));
    return owners.claim(String(properties[URN]), type, args, id);
  };
  let running = 0;

  /** Runs an operation; what it throws is what the engine shows and stores. The first properties are those of the stack. */
  async function runForEngine<Result>(
    { definition }: ResourceType,
    properties: readonly [Properties, ...Properties[]],
    operation: () => Promise<Result>,
  ): Promise<Result> {
    running += 1;
    try {
      return wellFormed(await run(definition, properties, operation));
    } catch (error) {
      throw toDynamicError(error as Error, properties[0][ENTRY]);
    } finally {
      running -= 1;
    }
  }

  return {
    isIdle: () => running === 0,
    providerFor: (type) => ({
      // The engine does not wait for this before the first operation, and an error here is lost: it only stores.
      async configure({ config }) {
        configure((key) => config.get(key));
      },
      async check(oldInputs: Properties, newInputs: Properties) {
        const { inputs, problems, warnings } = handlers.check(type, dependencies, {
          name: String(newInputs[RESOURCE_NAME] ?? ""),
          oldInputs: userArguments(oldInputs),
          newInputs: userArguments(newInputs),
          conflict: ownerConflictIn(newInputs) ?? conflictOf(type, newInputs),
        });
        const isNew = Object.keys(oldInputs).length === 0;
        const { notice, refusal } = isNew
          ? await handlers.describeEarlierCreation(type, dependencies, inputs, identityIn(newInputs))
          : {};
        for (const line of notice ? [...warnings, notice] : warnings) dependencies.log(line);
        const reasons = problems.map(({ reason }) => reason);
        // The engine prints the whole value of a property that a failure names, secrets beside the fault included.
        return wellFormed({
          inputs: { ...inputs, [URN]: newInputs[URN] },
          failures: [...reasons, ...(refusal ? [refusal] : [])].map((reason) => ({ property: "", reason })),
        });
      },
      async diff(id, outputs: Properties, newInputs: Properties) {
        await handlers.confirmCreation(type, dependencies, id, outputs);
        const difference = handlers.diff(type, dependencies, id, outputs, userArguments(newInputs));
        const { changed, replacing, isStale, replacementNotice } = difference;
        const conflict = replacing.length === 0 ? conflictOf(type, newInputs, id) : undefined;
        if (conflict !== undefined)
          throw toDynamicError(new UserError(dependencies.redact(conflict)), newInputs[ENTRY]);
        if (replacementNotice !== undefined) dependencies.log(replacementNotice);
        return {
          // "Not known" makes the engine show its own detailed diff of the arguments.
          ...(changed.length === 0 && { changes: isStale }),
          replaces: replacing.flatMap(({ path: [name = ""] }) => [name]),
          deleteBeforeReplace: true,
        };
      },
      create: (inputs: Properties) =>
        runForEngine(type, [inputs], async () => {
          const { id, state } = await handlers.create(type, dependencies, userArguments(inputs), identityIn(inputs));
          // Too late to refuse: whoever came first has been accepted already.
          const conflict = conflictOf(type, inputs, id);
          if (conflict !== undefined) dependencies.log(dependencies.redact(conflict));
          return { id, outs: state };
        }),
      update: (id, outputs: Properties, inputs: Properties) =>
        runForEngine(type, [inputs, outputs], async () => ({
          outs: await handlers.update(type, dependencies, id, outputs, userArguments(inputs)),
        })),
      read: (id, outputs: Properties) =>
        runForEngine(type, [outputs], async () => {
          const current = await handlers.read(type, dependencies, id, outputs);
          return current === undefined ? {} : { id, props: current.state, inputs: current.inputs };
        }),
      delete: (id, outputs: Properties) =>
        runForEngine(type, [outputs], () => handlers.delete(type, dependencies, id, outputs)),
    }),
  };
}
