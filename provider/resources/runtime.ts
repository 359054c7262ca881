import type { dynamic } from "@pulumi/pulumi";
import { type Client, type ClientSettings, type Clock, createClient } from "../api";
import { type ReadSettings, readSettings, ruleContext, type SettingKey, type Settings } from "../config";
import {
  check,
  diff,
  inputsFrom,
  type Leaf,
  leavesOf,
  type Properties,
  secretTexts,
  settingName,
  shown,
  valueAt,
  withoutAbsent,
  withValue,
} from "../fields";
import { userAgent } from "../version";
import { Complaint, PartialFailure, said } from "./failure";
import type { Context, Kind } from "./kind";
import { RESOURCE_NAME } from "./names";

/** The world around the runtime. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly say: (line: string) => void;
}

export interface Runtime {
  /** Pulumi's view of one kind of resource. All share configuration, connections and rate limit. */
  readonly providerFor: (kind: Kind) => Required<dynamic.ResourceProvider>;
}

const NEEDED: readonly SettingKey[] = ["baseUrl", "keyId", "keySecret"];

export function createRuntime(surroundings: Surroundings): Runtime {
  const { environment, clock, say } = surroundings;
  let read: ReadSettings | undefined;
  let client: Client | undefined;

  /** Without a configuration the environment alone counts. */
  const current = () => (read ??= readSettings(() => undefined, environment));

  const context: Context = {
    client: () => (client ??= clientFrom(current(), surroundings)),
    get organizationId() {
      return current().settings.organizationId;
    },
    now: () => new Date(clock.now()),
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
        const failures = [...problems.map((reason) => ({ reason })), ...checked.problems];
        return { inputs: checked.inputs, failures: failures.map((each) => ({ property: "", ...each })) };
      },
      async diff(id, outputs: Properties, newInputs: Properties) {
        const known = kind.known?.(id, outputs) ?? outputs;
        const inputs = argumentsOf(newInputs);
        const { changed, replaced } = diff(kind.definition, known, inputs);
        if (replaced.length > 0) say(replacementLine(kind, id, replaced, known, inputs));
        return {
          // "Not known" makes the engine show its own detailed diff of the arguments.
          ...(changed.length === 0 && { changes: false }),
          replaces: replaced.flatMap(({ path: [name = ""] }) => [name]),
          deleteBeforeReplace: true,
        };
      },
      create: (inputs: Properties) =>
        guarded(kind, inputs, async () => {
          const { id, outputs } = await kind.create(context, argumentsOf(inputs));
          return { id, outs: withoutAbsent(outputs) };
        }),
      update: (id, outputs: Properties, inputs: Properties) =>
        guarded(kind, inputs, async () => ({
          outs: withoutAbsent(await kind.update(context, id, outputs, argumentsOf(inputs))),
        })),
      read: (id, outputs: Properties) =>
        guarded(kind, outputs, async () => {
          const found = kind.read === undefined ? outputs : await kind.read(context, id, outputs);
          if (found === undefined) return {};
          const props = withoutAbsent(found);
          return { id, props, inputs: inputsFrom(kind.definition, props) };
        }),
      delete: (id, outputs: Properties) => guarded(kind, outputs, () => kind.delete(context, id, outputs)),
    }),
  };

  /** What leaves an operation as an error: no secrets, no stack, and the whole of what is stored. */
  async function guarded<Result>(
    kind: Kind,
    properties: Properties,
    operation: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await operation();
    } catch (error) {
      const failure = error instanceof Error ? error : new Complaint(said(error));
      throw presentable(failure, [...secretTexts(kind.definition, properties), ...settingSecrets()], properties);
    }
  }

  function settingSecrets(): string[] {
    const { keySecret, accessToken } = current().settings;
    return [keySecret, accessToken].filter((secret) => secret !== undefined);
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

function clientFrom({ settings, problems }: ReadSettings, surroundings: Surroundings): Client {
  const missing = NEEDED.filter(
    (key) => settings[key] === undefined && !problems.some((each) => each.includes(settingName(key))),
  );
  const complaints = [
    ...problems,
    ...missing.map((key) => `${settingName(key)} is missing: set it with \`pulumi config set\` or in the environment.`),
  ];
  if (complaints.length > 0) throw new Complaint(complaints.join(" "));
  return createClient({ ...settings, userAgent } as ClientSettings, surroundings);
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
    return `${name} from ${from} to ${to}`;
  });
  return `This would change ${changes.join(" and ")} of ${title} ${id}. ${replacement}`;
}

/** Shorter texts are too likely to be part of an ordinary word. */
const SHORTEST_SECRET = 3;

/** The error as the engine shows and stores it. */
function presentable(error: Error, secrets: readonly string[], properties: Properties): Error {
  const redacted = (text: string) =>
    secrets
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .sort((one, other) => other.length - one.length)
      .reduce((line, secret) => line.replaceAll(secret, "[secret]"), text);
  const message = redacted(error.message);
  const failure = new Error(message);
  // The engine prints the stack where it has one; nobody wants to read ours.
  failure.stack = message;
  if (!(error instanceof PartialFailure)) return failure;
  const stored = { ...withoutAbsent(error.properties), __provider: properties.__provider };
  return Object.assign(failure, { id: error.id, properties: stored, reasons: [message] });
}
