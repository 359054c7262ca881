import type { dynamic } from "@pulumi/pulumi";
import type { Client, Dependencies } from "../api";
import {
  check,
  diff,
  displayValue,
  type FieldPath,
  fieldPathsOf,
  inputsFromState,
  type Properties,
  secretTexts,
  UNKNOWN,
  valueAt,
  withoutAbsent,
  withValue,
} from "../fields";
import { UNCERTAIN } from "../lifecycle/remote-object";
import { OWNER_CONFLICT, REFUSED, RESOURCE_NAME } from "../lifecycle/reserved-names";
import type { Context, ResourceType } from "../lifecycle/resource-type";
import { describeError, PartialFailure } from "../lifecycle/user-error";
import { createRedactor, credentialSecrets } from "../redaction/redactor";
import { connect } from "../settings/connect";
import { type ReadSettings, readSettings, ruleContext, type SettingKey, type Settings } from "../settings/settings";

/** The world around the runtime. */
export interface RuntimeDependencies extends Omit<Dependencies, "redact"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface DynamicRuntime {
  /** Pulumi's view of one kind of resource. All share configuration, connections and rate limit. */
  readonly providerFor: (kind: ResourceType) => Required<dynamic.ResourceProvider>;
}

export function createDynamicRuntime(dependencies: RuntimeDependencies): DynamicRuntime {
  const { environment, log } = dependencies;
  let read: ReadSettings | undefined;
  let client: Client | undefined;
  const redactor = createRedactor();

  /** Without a configuration the environment alone counts. */
  const current = () => (read ??= readSettings(() => undefined, environment));

  const context: Context = {
    client: () => (client ??= connect("management", current(), { ...dependencies, redact: redactor.redact })),
    get organizationId() {
      return current().settings.organizationId;
    },
    addSecret: (secret) => redactor.addSecrets([secret]),
    log,
  };

  return {
    providerFor: (kind) => ({
      // The engine does not wait for this before the first operation, and an error here is lost: it only stores.
      async configure({ config }) {
        read = readSettings((key) => config.get(key), environment);
      },
      async check(oldInputs: Properties, newInputs: Properties) {
        const { settings, problems } = current();
        const olds = userArguments(oldInputs);
        const resourceName = String(newInputs[RESOURCE_NAME] ?? "");
        const given = applySettings(kind, withoutAbsent(userArguments(newInputs)), settings);
        const inputs = kind.applyDefaults?.(olds, given, resourceName) ?? given;
        const checked = check(kind.definition, olds, inputs, ruleContext(settings));
        const conflict = newInputs[OWNER_CONFLICT];
        const outside = [...problems, ...(typeof conflict === "string" && conflict !== UNKNOWN ? [conflict] : [])];
        for (const line of checked.warnings) log(`${resourceName}: ${line}`);
        // Policies see these inputs, too: they are told what is refused instead of its value, and do not say it again.
        const refused = new Set(checked.problems.flatMap(({ argument }) => argument ?? []));
        let judged = checked.inputs;
        for (const name of refused) judged = withValue(judged, [name], undefined);
        // The engine prints the whole value of a property that a failure names, secrets beside the fault included.
        const failures = [...outside, ...checked.problems.map(({ reason }) => reason)];
        return {
          inputs: refused.size > 0 ? { ...judged, [REFUSED]: [...refused] } : judged,
          failures: failures.map((reason) => ({ property: "", reason })),
        };
      },
      async diff(id, outputs: Properties, newInputs: Properties) {
        const known = kind.withId?.(id, outputs) ?? outputs;
        const inputs = userArguments(newInputs);
        const { changed, replacing } = diff(kind.definition, known, inputs);
        if (replacing.length > 0) log(describeReplacement(kind, id, replacing, known, inputs));
        return {
          // "Not known" makes the engine show its own detailed diff of the arguments.
          ...(changed.length === 0 && { changes: outputs[UNCERTAIN] !== undefined }),
          replaces: replacing.flatMap(({ path: [name = ""] }) => [name]),
          deleteBeforeReplace: true,
        };
      },
      create: (inputs: Properties) =>
        runSafely(kind, [inputs], async () => {
          const { id, outputs } = await kind.create(context, userArguments(inputs));
          return { id, outs: withoutAbsent(outputs) };
        }),
      update: (id, outputs: Properties, inputs: Properties) =>
        runSafely(kind, [inputs, outputs], async () => ({
          outs: withoutAbsent(await kind.update(context, id, outputs, userArguments(inputs))),
        })),
      read: (id, outputs: Properties) =>
        runSafely(kind, [outputs], async () => {
          const found = kind.read === undefined ? outputs : await kind.read(context, id, outputs);
          if (found === undefined) return {};
          const props = withoutAbsent(found);
          return { id, props, inputs: inputsFromState(kind.definition, props) };
        }),
      delete: (id, outputs: Properties) => runSafely(kind, [outputs], () => kind.delete(context, id, outputs)),
    }),
  };

  /** What leaves an operation as an error: no secrets, no stack, and the whole of what is stored. */
  async function runSafely<Result>(
    kind: ResourceType,
    properties: readonly [Properties, ...Properties[]],
    operation: () => Promise<Result>,
  ): Promise<Result> {
    const known = properties.flatMap((each) => secretTexts(kind.definition, each));
    redactor.addSecrets([...credentialSecrets(current().settings), ...known]);
    redactor.addNames(fieldPathsOf(kind.definition.fields).map(({ name }) => name));
    try {
      return await operation();
    } catch (error) {
      throw toEngineError(error, redactor.redactOwnMessage, properties[0].__provider);
    }
  }
}

/** The arguments without what the engine and the class have put beside them. */
function userArguments(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

function applySettings({ definition }: ResourceType, inputs: Properties, settings: Settings): Properties {
  return fieldPathsOf(definition.fields).reduce((given, { path, field }) => {
    const standIn = field.setting === undefined ? undefined : settings[field.setting as SettingKey];
    return standIn === undefined || valueAt(given, path) !== undefined ? given : withValue(given, path, standIn);
  }, inputs);
}

function describeReplacement(
  { title, replacementEffect }: ResourceType,
  id: string,
  leaves: readonly FieldPath[],
  outputs: Properties,
  inputs: Properties,
): string {
  const changes = leaves.map(({ name, path, field }) => {
    const [from, to] = [outputs, inputs].map((properties) => displayValue(field, valueAt(properties, path)));
    return from && to ? `${name} from ${from} to ${to}` : name;
  });
  return `Changing ${changes.join(" and ")} of ${title} ${id} ${replacementEffect}`;
}

/** The error as the engine shows and stores it. */
function toEngineError(error: unknown, redacted: (text: string) => string, provider: unknown): Error {
  const message = redacted(error instanceof Error ? error.message : describeError(error));
  const failure = new Error(message);
  // The engine prints the stack where it has one; nobody wants to read ours.
  failure.stack = message;
  if (!(error instanceof PartialFailure)) return failure;
  const stored = { ...withoutAbsent(error.properties), __provider: provider };
  return Object.assign(failure, { id: error.id, properties: stored, reasons: [message] });
}
