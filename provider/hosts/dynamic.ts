import { isDeepStrictEqual } from "node:util";
import type { dynamic } from "@pulumi/pulumi";
import { wellFormed } from "../api/text";
import { check, userArguments } from "../core/check";
import { diff } from "../core/diff";
import * as lifecycle from "../core/lifecycle";
import type { Context, Resource } from "../core/resource";
import { createSession, type SessionDependencies } from "../core/session";
import { warnOfEarlier } from "../core/unresolved-creations";
import { render } from "../errors";
import { type Properties, withoutMarks } from "../fields";
import { ENTRY, RESOURCE_NAME, URN } from "../names";
import { toDynamicError } from "./pulumi-internals";

/**
 * A refresh receives only outputs and returns inputs: without the URN that check adds, the next preview would show the
 * URN as a change.
 */
function urnIn({ [URN]: urn }: Properties): Properties {
  return urn === undefined ? {} : { [URN]: urn };
}

/** Converts between the core and Pulumi's dynamic provider. */
export function createDynamicRuntime(host: SessionDependencies) {
  const { contextFor, configure, redacted } = createSession(host);
  let running = 0;
  /** The URNs of resources whose last check returned the old inputs: the engine gives them to no diff. */
  const unchanged = new Set<unknown>();

  /** Runs an operation on the resource with these properties. The engine shows and stores its failure. */
  async function run<Result>(
    { [URN]: urn, [ENTRY]: entry }: Properties,
    operation: (context: Context) => Promise<Result>,
  ): Promise<Result> {
    running += 1;
    try {
      return wellFormed(await operation(contextFor(typeof urn === "string" ? urn : "")));
    } catch (error) {
      throw toDynamicError(redacted(error), entry, urn);
    } finally {
      running -= 1;
    }
  }

  return {
    isIdle: () => running === 0,
    /** A type of resource as Pulumi's dynamic provider runs it. All share one session. */
    providerFor: (resource: Resource): Required<dynamic.ResourceProvider> => ({
      // The engine does not wait for this before the first operation, and an error here is lost: it only stores.
      async configure({ config }) {
        configure((key) => config.get(key));
      },
      check: (olds: Properties, news: Properties) =>
        run(news, async (context) => {
          const { inputs, reasons } = check(
            resource,
            context,
            String(news[RESOURCE_NAME] ?? ""),
            olds,
            news,
          );
          // The engine previews no creation of a dynamic resource.
          const refusal =
            Object.keys(olds).length === 0
              ? await warnOfEarlier(resource, context, inputs)
              : undefined;
          const result = wellFormed({ ...inputs, ...urnIn(news), [ENTRY]: news[ENTRY] });
          if (isDeepStrictEqual(withoutMarks(result), olds)) unchanged.add(news[URN]);
          else unchanged.delete(news[URN]);
          return {
            inputs: result,
            // The engine prints the whole value of a property that a failure names, including secrets beside the fault.
            failures: [...reasons, ...(refusal ? [refusal] : [])].map((reason) => ({
              property: "",
              reason: render(reason),
            })),
          };
        }),
      diff: (id, outputs: Properties, news: Properties) =>
        run(news, async (context) => {
          const isUnchanged = unchanged.has(news[URN]);
          const { kind, replaces } = await diff(resource, context, id, outputs, news, isUnchanged);
          // For changed inputs, the engine's own comparison shows more, but after a rename also the former URN.
          const isLeftToEngine = kind === "arguments" && !isUnchanged && outputs[URN] === news[URN];
          const changes = isLeftToEngine ? {} : { changes: kind !== "none" };
          return { ...changes, replaces: [...replaces], deleteBeforeReplace: true };
        }),
      create: (news: Properties) =>
        run(news, async (context) => {
          if (context.identity.urn === "") throw new Error("the class has not passed the URN");
          const { id, state } = await lifecycle.create(resource, context, userArguments(news));
          return { id, outs: { ...state, ...urnIn(news) } };
        }),
      update: (id, outputs: Properties, news: Properties) =>
        run(news, async (context) => {
          const state = await lifecycle.update(resource, context, id, outputs, userArguments(news));
          return { outs: { ...state, ...urnIn(news) } };
        }),
      read: (id, outputs: Properties) =>
        run(outputs, async (context) => {
          const current = await lifecycle.read(resource, context, id, outputs);
          return current
            ? { id, props: current.state, inputs: { ...current.inputs, ...urnIn(outputs) } }
            : {};
        }),
      delete: (id, outputs: Properties) =>
        run(outputs, (context) => lifecycle.release(resource, context, id, outputs)),
    }),
  };
}
