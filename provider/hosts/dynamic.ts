import type { dynamic } from "@pulumi/pulumi";
import { wellFormed } from "../api/response";
import { warnOfEarlier } from "../core/object/adopt";
import { check } from "../core/object/check";
import { create } from "../core/object/create";
import { diff } from "../core/object/diff";
import { read } from "../core/object/read-object";
import { release } from "../core/object/release";
import type { Context, Resource } from "../core/object/resource";
import { update } from "../core/object/updates";
import { UserError } from "../core/object/user-error";
import { createSession, type SessionDependencies } from "../core/session/session";
import { render } from "../errors";
import { DECLARED, type Properties } from "../fields";
import { NO_DEFAULT_PROVIDERS, noDefaultProvider } from "../mistakes";
import { ENTRY, NATIVE_PACKAGE, parseUrn, RESOURCE_NAME, URN } from "../names";
import { areSameArguments, type Codec, createCodec } from "./codec";
import { toDynamicError } from "./pulumi-internals";

/**
 * A resource's URN. A class passes it to check, and inputs and states store it, because a refresh
 * gets nothing else.
 */
function urnIn({ [URN]: urn }: Properties): Properties {
  return urn === undefined ? {} : { [URN]: urn };
}

/** Converts between the core and Pulumi's dynamic provider. */
export function createDynamicRuntime(host: SessionDependencies) {
  const session = createSession(host);
  /**
   * Only a default provider has the stack's configuration, but a transformation may pass another
   * one.
   */
  let noDefaults: string | undefined;
  let running = 0;
  function excluded({ [URN]: urn }: Properties) {
    const { type, name } = parseUrn(String(urn));
    return noDefaultProvider(`${type.split(":").at(-1)} "${name}"`, noDefaults, [NATIVE_PACKAGE]);
  }
  /**
   * The URNs of resources whose last check returned the old inputs. The engine does not pass old
   * inputs to diff.
   */
  const unchanged = new Set<unknown>();

  /** Runs an operation on a resource. The engine shows and stores its failure. */
  async function run<Result>(
    resource: Resource,
    properties: Properties,
    operation: (context: Context, codec: Codec) => Promise<Result>,
  ): Promise<Result> {
    const { [URN]: urn, [ENTRY]: entry } = properties;
    running += 1;
    try {
      const codec = createCodec(session, resource, {
        acceptsSecrets: false,
        inputMembers: urnIn(properties),
        stateMembers: { ...urnIn(properties), [ENTRY]: entry },
      });
      const context = session.contextFor(typeof urn === "string" ? urn : "");
      return wellFormed(await operation(codec.contextFor(context), codec));
    } catch (error) {
      throw toDynamicError(session.redacted(error));
    } finally {
      running -= 1;
    }
  }

  return {
    isIdle: () => running === 0,
    /** A resource type for Pulumi's dynamic provider. All types share one session. */
    providerFor: (resource: Resource): Required<dynamic.ResourceProvider> => ({
      // The engine does not await this and loses its errors, so it only stores the configuration.
      async configure({ config }) {
        session.configure((key) => config.get(key));
        noDefaults = config.get(NO_DEFAULT_PROVIDERS);
      },
      check: (olds: Properties, news: Properties) =>
        run(resource, news, async (context, codec) => {
          const name = String(news[RESOURCE_NAME] ?? "");
          const request = codec.decodeCheck(name, { properties: news }, olds);
          const checked = check(resource, context, request);
          if (areSameArguments(checked.inputs, olds)) unchanged.add(news[URN]);
          else unchanged.delete(news[URN]);
          // The engine does not preview the creation of a dynamic resource.
          const refusal =
            request.oldInputs === undefined
              ? await warnOfEarlier(resource, context, checked.inputs)
              : undefined;
          const reasons = [excluded(news), ...checked.reasons, refusal].filter(
            (reason) => reason !== undefined,
          );
          return {
            inputs: codec.encodeChecked(checked, request),
            // The engine would print the whole value of a named property, including secrets beside
            // the invalid part.
            failures: reasons.map((reason) => ({
              property: "",
              reason: render(reason),
            })),
          };
        }),
      diff: (id, outputs: Properties, news: Properties) =>
        run(resource, news, async (context, codec) => {
          const isUnchanged = unchanged.has(news[URN]);
          const { kind, replaces } = await diff(resource, context, {
            ...codec.decodeObject(id, outputs),
            inputs: codec.decodeInputs({ properties: news }),
            isUnchanged,
          });
          // For changed inputs, the engine's own comparison shows more. After a rename, it would
          // also show the former URN.
          const isLeftToEngine = kind === "arguments" && !isUnchanged && outputs[URN] === news[URN];
          const changes = isLeftToEngine ? {} : { changes: kind !== "none" };
          return { ...changes, replaces: [...replaces], deleteBeforeReplace: true };
        }),
      create: (news: Properties) =>
        run(resource, news, async (context, codec) => {
          if (context.identity.urn === "") throw new Error("the class has not passed the URN");
          const inputs = codec.decodeInputs({ properties: news });
          const operation = create(resource, context, inputs);
          const { id, state } = await codec.encodeResult(operation, inputs);
          return { id, outs: state };
        }),
      update: (id, outputs: Properties, news: Properties) =>
        run(resource, news, async (context, codec) => {
          const object = codec.decodeObject(id, outputs);
          const inputs = codec.decodeInputs({ properties: news });
          const operation = update(resource, context, object, inputs);
          return { outs: (await codec.encodeResult(operation, inputs, object.state)).state };
        }),
      read: (id, outputs: Properties) =>
        run(resource, outputs, async (context, codec) => {
          const refusal = outputs[DECLARED] === undefined ? excluded(outputs) : undefined;
          if (refusal !== undefined) throw new UserError(refusal);
          const object = codec.decodeObject(id, outputs);
          const found = await read(resource, context, object);
          if (found === undefined) return {};
          const { state, inputs } = codec.encodeFound(found, object.state);
          return { id, props: state, inputs };
        }),
      delete: (id, outputs: Properties) =>
        run(resource, outputs, (context, codec) =>
          release(resource, context, codec.decodeObject(id, outputs)),
        ),
    }),
  };
}
