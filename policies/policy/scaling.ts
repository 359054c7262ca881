import { scalingFields, UNKNOWN } from "pulumi-clouddb/definitions";
import type { StackSubject, Subject } from "./subject";

/** How a service of a stack is scaled: by itself, or by the ServiceScaling that has it for its target. */
export interface ScaledService {
  /** Names it in messages: the service, or the scaling of a service that is outside of the stack. */
  readonly subject: Subject;
  /** The ServiceScaling resources for it. */
  readonly scalings: readonly StackSubject[];
  /** What is declared about its scaling, by whichever resource. */
  readonly declared: Readonly<Record<string, unknown>>;
  /** The same with what the API has filled in. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** Scalings whose target a preview cannot tell. */
export interface Scaled {
  readonly services: readonly ScaledService[];
  readonly undecided: readonly StackSubject[];
}

/** `maxTotalMemoryGb` is the deprecated way to say the same. */
const NAMES = [...Object.keys(scalingFields()), "maxTotalMemoryGb"];

/** The arguments of a resource that are about scaling. */
export function scalingOf(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
}

export function scaledServices(subjects: readonly StackSubject[]): Scaled {
  const services = subjects.filter(({ kind }) => kind === "Service");
  const scalings = subjects.filter(({ kind }) => kind === "ServiceScaling");
  const targets = new Map(scalings.map((scaling) => [scaling, targetOf(scaling, services)]));
  const inStack = new Set(services.map(({ urn }) => urn));
  const outside = new Set([...targets.values()].filter((target) => target !== UNKNOWN && !inStack.has(target)));
  return {
    services: [
      ...services.map((service) =>
        scaled(
          service,
          scalings.filter((each) => targets.get(each) === service.urn),
        ),
      ),
      ...[...outside].map((target) =>
        scaled(
          undefined,
          scalings.filter((each) => targets.get(each) === target),
        ),
      ),
    ].filter((each) => each !== undefined),
    undecided: scalings.filter((each) => targets.get(each) === UNKNOWN),
  };
}

/** The URN of the service in the stack, else the id of the service, else `UNKNOWN`. */
function targetOf(scaling: StackSubject, services: readonly Subject[]): string {
  const sources = scaling.sourcesOf("serviceId").filter(({ kind }) => kind === "Service");
  const [source, ...more] = sources;
  if (source && more.length === 0) return source.urn;
  const id = scaling.properties.serviceId;
  if (typeof id !== "string" || id === UNKNOWN) return UNKNOWN;
  return services.find(({ inputs }) => inputs.existingServiceId === id)?.urn ?? id;
}

function scaled(service: Subject | undefined, scalings: readonly StackSubject[]): ScaledService | undefined {
  const subject = service ?? scalings[0];
  if (subject === undefined) return undefined;
  const merged = (of: "inputs" | "properties") =>
    Object.assign({}, ...[service, ...scalings].map((each) => (each ? scalingOf(each[of]) : {})));
  return { subject, scalings, declared: merged("inputs"), known: merged("properties") };
}
