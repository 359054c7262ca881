import type { dynamic } from "@pulumi/pulumi";
import type { Client, Surroundings } from "../api";
import { type ReadSettings, readSettings, ruleContext, type SettingKey, type Settings } from "../config";
import { connect } from "../connect";
import { PartialFailure, said } from "../failure";
import {
  check,
  diff,
  inputsFrom,
  type Leaf,
  leavesOf,
  type Properties,
  secretTexts,
  shown,
  UNKNOWN,
  valueAt,
  withoutAbsent,
  withValue,
} from "../fields";
import { createRedactor, keyTexts } from "../redact";
import type { Context, Kind } from "./kind";
import { CONFLICT, REFUSED, RESOURCE_NAME } from "./names";
import { UNCERTAIN } from "./subject";

/** The world around the runtime. */
export interface RuntimeSurroundings extends Omit<Surroundings, "redacted"> {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Runtime {
  /** Pulumi's view of one kind of resource. All share configuration, connections and rate limit. */
  readonly providerFor: (kind: Kind) => Required<dynamic.ResourceProvider>;
}

export function createRuntime(surroundings: RuntimeSurroundings): Runtime {
  const { environment, say } = surroundings;
  let read: ReadSettings | undefined;
  let client: Client | undefined;
  const redactor = createRedactor();

  /** Without a configuration the environment alone counts. */
  const current = () => (read ??= readSettings(() => undefined, environment));

  const context: Context = {
    client: () => (client ??= connect("management", current(), { ...surroundings, redacted: redactor.redacted })),
    get organizationId() {
      return current().settings.organizationId;
    },
    hide: (secret) => redactor.learn([secret]),
    say,
  };

  return {
    providerFor: (kind) => ({
      // The engine does not wait for this before the first operation, and an error here is lost: it only stores.
      async configure({ config }) {
        read = readSettings((key) => config.get(key), environment);
      },
      async check(oldInputs: Properties, newInputs: Properties) {
        const { settings, problems } = current();
        const olds = argumentsOf(oldInputs);
        const resourceName = String(newInputs[RESOURCE_NAME] ?? "");
        const given = withSettings(kind, withoutAbsent(argumentsOf(newInputs)), settings);
        const inputs = kind.withDefaults?.(olds, given, resourceName) ?? given;
        const checked = check(kind.definition, olds, inputs, ruleContext(settings));
        const conflict = newInputs[CONFLICT];
        const outside = [...problems, ...(typeof conflict === "string" && conflict !== UNKNOWN ? [conflict] : [])];
        for (const line of checked.warnings) say(`${resourceName}: ${line}`);
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
        const known = kind.known?.(id, outputs) ?? outputs;
        const inputs = argumentsOf(newInputs);
        const { changed, replaced } = diff(kind.definition, known, inputs);
        if (replaced.length > 0) say(replacementLine(kind, id, replaced, known, inputs));
        return {
          // "Not known" makes the engine show its own detailed diff of the arguments.
          ...(changed.length === 0 && { changes: outputs[UNCERTAIN] !== undefined }),
          replaces: replaced.flatMap(({ path: [name = ""] }) => [name]),
          deleteBeforeReplace: true,
        };
      },
      create: (inputs: Properties) =>
        guarded(kind, [inputs], async () => {
          const { id, outputs } = await kind.create(context, argumentsOf(inputs));
          return { id, outs: withoutAbsent(outputs) };
        }),
      update: (id, outputs: Properties, inputs: Properties) =>
        guarded(kind, [inputs, outputs], async () => ({
          outs: withoutAbsent(await kind.update(context, id, outputs, argumentsOf(inputs))),
        })),
      read: (id, outputs: Properties) =>
        guarded(kind, [outputs], async () => {
          const found = kind.read === undefined ? outputs : await kind.read(context, id, outputs);
          if (found === undefined) return {};
          const props = withoutAbsent(found);
          return { id, props, inputs: inputsFrom(kind.definition, props) };
        }),
      delete: (id, outputs: Properties) => guarded(kind, [outputs], () => kind.delete(context, id, outputs)),
    }),
  };

  /** What leaves an operation as an error: no secrets, no stack, and the whole of what is stored. */
  async function guarded<Result>(
    kind: Kind,
    properties: readonly [Properties, ...Properties[]],
    operation: () => Promise<Result>,
  ): Promise<Result> {
    const known = properties.flatMap((each) => secretTexts(kind.definition, each));
    redactor.learn([...keyTexts(current().settings), ...known]);
    try {
      return await operation();
    } catch (error) {
      throw presentable(error, redactor.redactedOwn, properties[0].__provider);
    }
  }
}

/** The arguments without what the engine and the class have put beside them. */
function argumentsOf(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}

function withSettings({ definition }: Kind, inputs: Properties, settings: Settings): Properties {
  return leavesOf(definition.fields).reduce((given, { path, field }) => {
    const standIn = field.setting === undefined ? undefined : settings[field.setting as SettingKey];
    return standIn === undefined || valueAt(given, path) !== undefined ? given : withValue(given, path, standIn);
  }, inputs);
}

function replacementLine(
  { title, replacement }: Kind,
  id: string,
  leaves: readonly Leaf[],
  outputs: Properties,
  inputs: Properties,
): string {
  const changes = leaves.map(({ name, path, field }) => {
    const [from, to] = [outputs, inputs].map((properties) => shown(field, valueAt(properties, path)));
    return from && to ? `${name} from ${from} to ${to}` : name;
  });
  return `Changing ${changes.join(" and ")} of ${title} ${id} ${replacement}`;
}

/** The error as the engine shows and stores it. */
function presentable(error: unknown, redacted: (text: string) => string, provider: unknown): Error {
  const message = redacted(error instanceof Error ? error.message : said(error));
  const failure = new Error(message);
  // The engine prints the stack where it has one; nobody wants to read ours.
  failure.stack = message;
  if (!(error instanceof PartialFailure)) return failure;
  const stored = { ...withoutAbsent(error.properties), __provider: provider };
  return Object.assign(failure, { id: error.id, properties: stored, reasons: [message] });
}
