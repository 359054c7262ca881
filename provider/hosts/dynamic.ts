import type { dynamic } from "@pulumi/pulumi";
import { wellFormed } from "../api/text";
import * as handlers from "../core/handlers";
import { ownerConflictIn, userArguments } from "../core/handlers";
import type { ResourceType } from "../core/resource-type";
import { createSession, type SessionDependencies } from "../core/session";
import { UserError } from "../core/user-error";
import { render } from "../errors";
import type { Properties } from "../fields";
import { ENTRY, RESOURCE_NAME, URN } from "../names";
import { createIdentities } from "./backend";
import { createOwners } from "./owners";
import { toDynamicError } from "./pulumi-internals";

export interface DynamicRuntime {
  /** A type of resource as Pulumi's dynamic provider runs it. All share one session. */
  readonly providerFor: (type: ResourceType) => Required<dynamic.ResourceProvider>;
  readonly isIdle: () => boolean;
}

/** A refresh gets outputs alone and returns inputs: without the URN that check adds, the next preview would show it. */
function urnIn({ [URN]: urn }: Properties): Properties {
  return urn === undefined ? {} : { [URN]: urn };
}

/** Puts the handlers' answers into the form of Pulumi's dynamic provider. */
export function createDynamicRuntime(host: SessionDependencies): DynamicRuntime {
  const { dependencies, configure, run } = createSession(host);
  const owners = createOwners();
  const identityOf = createIdentities(host.environment, process.cwd());
  /** Undefined for what an earlier release has stored. */
  const identityIn = ({ [URN]: urn }: Properties) => (typeof urn === "string" ? identityOf(urn) : undefined);
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
      throw toDynamicError(error as Error, properties[0][ENTRY], properties[0][URN]);
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
      check: (oldInputs: Properties, newInputs: Properties) =>
        runForEngine(type, [newInputs, oldInputs], async () => {
          owners.declare(String(newInputs[URN]));
          const { inputs, problems, warnings } = handlers.check(type, dependencies, {
            name: String(newInputs[RESOURCE_NAME] ?? ""),
            oldInputs: userArguments(oldInputs),
            newInputs: userArguments(newInputs),
            conflict: ownerConflictIn(newInputs) ?? conflictOf(type, newInputs),
          });
          const identity = identityIn(newInputs);
          const isNew = Object.keys(oldInputs).length === 0;
          const { notice, refusal } =
            isNew && identity ? await handlers.describeEarlierCreation(type, dependencies, inputs, identity) : {};
          for (const line of notice ? [...warnings, notice] : warnings) dependencies.log(line);
          const reasons = [...problems.map(({ reason }) => reason), ...(refusal ? [refusal] : [])];
          // The engine prints the whole value of a property that a failure names, secrets beside the fault included.
          return {
            inputs: { ...inputs, ...urnIn(newInputs) },
            failures: reasons.map((reason) => ({ property: "", reason: render(reason) })),
          };
        }),
      diff: (id, outputs: Properties, newInputs: Properties) =>
        runForEngine(type, [newInputs, outputs], async () => {
          const isUnstored = await handlers.confirmStored(type, dependencies, id, outputs, identityIn(newInputs));
          const difference = handlers.diff(type, dependencies, id, outputs, userArguments(newInputs), isUnstored);
          const { changed, replacing, isStale, replacementNotice } = difference;
          const conflict = replacing.length === 0 ? conflictOf(type, newInputs, id) : undefined;
          if (conflict !== undefined) throw new UserError(conflict);
          if (replacementNotice !== undefined) dependencies.log(replacementNotice);
          return {
            // "Not known" makes the engine show its own detailed diff of the arguments.
            ...(changed.length === 0 && { changes: isStale }),
            replaces: replacing.flatMap(({ path: [name = ""] }) => [name]),
            deleteBeforeReplace: true,
          };
        }),
      create: (inputs: Properties) =>
        runForEngine(type, [inputs], async () => {
          const identity = identityIn(inputs);
          if (identity === undefined) throw new Error("the class has not passed the URN");
          const { id, state } = await handlers.create(type, dependencies, userArguments(inputs), identity);
          // Too late to refuse: whoever came first has been accepted already.
          const conflict = conflictOf(type, inputs, id);
          if (conflict !== undefined) dependencies.log(conflict);
          return { id, outs: { ...state, ...urnIn(inputs) } };
        }),
      update: (id, outputs: Properties, inputs: Properties) =>
        runForEngine(type, [inputs, outputs], async () => ({
          outs: {
            ...(await handlers.update(type, dependencies, id, outputs, userArguments(inputs), identityIn(inputs))),
            ...urnIn(inputs),
          },
        })),
      read: (id, outputs: Properties) =>
        runForEngine(type, [outputs], async () => {
          const current = await handlers.read(type, dependencies, id, outputs, identityIn(outputs));
          if (current === undefined) return {};
          return { id, props: current.state, inputs: { ...current.inputs, ...urnIn(outputs) } };
        }),
      delete: (id, outputs: Properties) =>
        runForEngine(type, [outputs], () => handlers.delete(type, dependencies, id, outputs, identityIn(outputs))),
    }),
  };
}
