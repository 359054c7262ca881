import { isRecord } from "../../../facts";
import type { FaultRule } from "../../../simulator/index";
import { type Members, REQUESTS, RESPONSES } from "./documents";
import { CANARY, type RULES } from "./variants";

/**
 * Changes by path (`source.kafka.offset`, `ipAccessList[].source`): the new value, or a function of
 * the old one. Undefined removes it. A path without a parent is ignored, and so is a function of a
 * value that does not exist.
 */
export type Edits = Readonly<Record<string, unknown>>;

export function applyEdits(value: unknown, edits: Edits = {}): unknown {
  let result = value;
  for (const [path, change] of Object.entries(edits))
    result = editAt(result, pathSteps(path), change);
  return result;
}

const EACH = "[]";

function pathSteps(path: string): string[] {
  return path
    .split(".")
    .flatMap((step) => (step.endsWith(EACH) ? [step.slice(0, -EACH.length), EACH] : [step]));
}

function editAt(value: unknown, [step, ...rest]: readonly string[], change: unknown): unknown {
  if (step === undefined) return typeof change === "function" ? change(value) : change;
  if (step === EACH)
    return Array.isArray(value) ? value.map((entry) => editAt(entry, rest, change)) : value;
  if (typeof value !== "object" || value === null) return value;
  const parent = value as Record<string, unknown>;
  if ((rest.length > 0 || typeof change === "function") && !(step in parent)) return value;
  return { ...parent, [step]: editAt(parent[step], rest, change) };
}

/**
 * Which part of a response: any service, the members next to a created service, the members next to
 * the result, and so on.
 */
export type Shape =
  | "service"
  | "creation"
  | "organization"
  | "pipe"
  | "settings"
  | "alert"
  | "dashboards"
  | "envelope";

/** The differences in responses. */
export type Responses = Readonly<Partial<Record<Shape, Edits>>>;

export interface ServerVariant {
  readonly rule: keyof typeof RULES;
  readonly responses?: Responses;
  /** Makes the result of a response from the server's own. */
  readonly answer?: (shape: Shape, result: unknown) => unknown;
  /** The differences in request bodies as the server reads them. */
  readonly requests?: Edits;
  /** The message that the user gets about the variant. */
  readonly message?: RegExp;
  /** A gateway's response that replaces the server's. */
  readonly gateway?: FaultRule;
  /** The client's expected delay before a retry, in seconds: minimum and maximum. */
  readonly waits?: readonly [number, number];
}

/** The response of a server of this variant; the response to a creation contains a service. */
export function applyVariant(
  variant: ServerVariant | undefined,
  shape: Shape,
  response: object,
): unknown {
  const { result, ...envelope } = response as {
    readonly result?: Readonly<Record<string, unknown>>;
  };
  const { responses, answer } = variant ?? {};
  if (answer !== undefined) {
    const member = "data" in response ? "data" : "result";
    return { ...response, [member]: answer(shape, (response as Record<string, unknown>)[member]) };
  }
  if (responses === undefined || result === undefined) return response;
  const whole =
    shape === "creation"
      ? { ...result, service: applyEdits(result.service, responses.service) }
      : result;
  return applyEdits(
    { ...envelope, result: applyEdits(whole, responses[shape]) },
    responses.envelope,
  );
}

/**
 * Random answers that the services' documents allow, and the checks of requests and states against
 * the documents.
 */

export type Random = () => number;

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** A type in the notation of the table. */
export function parseType(text: string) {
  const isNullable = text.endsWith("?");
  const type = isNullable ? text.slice(0, -1) : text;
  const isList = type.endsWith("[]");
  const base = isList ? type.slice(0, -2) : type;
  const values = /^\((.*)\)$/.exec(base)?.[1]?.split(" ");
  const [, name = base, min, max, step] =
    /^(\w+) ([\d.]+?)\.\.([\d.]*)(?: \/(\d+))?$/.exec(base) ?? [];
  const bound = (part: string | undefined, other: number) => (part ? Number(part) : other);
  return {
    isNullable,
    isList,
    values,
    name,
    min: bound(min, Number.NEGATIVE_INFINITY),
    max: bound(max, Number.POSITIVE_INFINITY),
    step: bound(step, 1),
  };
}

/** The violations of a request's body against the documents. */
export function problemsIn(text: string, value: unknown, place: string): string[] {
  const { isNullable, isList, values, name, min, max, step } = parseType(text);
  const problem = (isRight: boolean) => (isRight ? [] : [`${place} is no ${text}`]);
  if (value === null) return problem(isNullable);
  if (isList) {
    if (!Array.isArray(value)) return problem(false);
    return value.flatMap((entry, index) =>
      problemsIn(text.replace(/\[\]\??$/, ""), entry, `${place}[${index}]`),
    );
  }
  if (values) return problem(values.includes(value as string));
  if (name === "boolean") return problem(typeof value === "boolean");
  if (name === "number" || name === "integer") {
    const isWhole = name === "number" || Number.isInteger(value);
    const isNumber = typeof value === "number" && value >= min && value <= max;
    return problem(isNumber && isWhole && (step === 1 || value % step === 0));
  }
  const members = REQUESTS[name];
  if (members === undefined)
    return problem(typeof value === "string" && !(value.length < min) && value.length <= max);
  if (!isRecord(value)) return problem(false);
  return Object.entries(value).flatMap(([member, inner]) => {
    const type = members[member];
    const at = `${place}.${member}`;
    return type === undefined ? [`${at} is not documented`] : problemsIn(type, inner, at);
  });
}

/**
 * The documented members of a value, without null. Kinds of sources that are empty objects count as
 * absent.
 */
export function documented(text: string, value: unknown): unknown {
  const { isList, name } = parseType(text);
  if (value === null || value === undefined) return undefined;
  if (isList && Array.isArray(value))
    return value.map((entry) => documented(text.replace(/\[\]\??$/, ""), entry));
  const object = RESPONSES[name];
  if (object === undefined || !isRecord(value)) return value;
  const isEmpty = (inner: unknown) => isRecord(inner) && Object.keys(inner).length === 0;
  const shown = Object.entries(object.members).flatMap(([member, type]) => {
    const inner = value[member];
    const isNoKind = name === "PipeSource" && isEmpty(inner);
    const found = isNoKind ? undefined : documented(type, inner);
    return found === undefined ? [] : [[member, found]];
  });
  return Object.fromEntries(shown);
}

const IDENTITIES = new Set(["id", "source"]);

interface AnswerOptions {
  readonly random: Random;
  /** Null, or undefined for an absent member. */
  readonly nothing: null | undefined;
  /** The places of responses whose values the program declares: they stay. */
  readonly declared: ReadonlySet<string>;
  /** The places that no response shows. */
  readonly hidden: ReadonlySet<string>;
}

/**
 * Changes responses at random: hides members, shows other values where the program declares none,
 * and adds new members.
 */
export function createAnswers({ random, nothing, declared, hidden }: AnswerOptions) {
  const chance = (share: number) => random() < share;

  function newMembers(names = ""): Record<string, unknown> {
    const values = [CANARY, { token: CANARY }, [CANARY], null, 7];
    const added = names.split(" ").filter((name) => name !== "" && chance(0.4));
    return Object.fromEntries(added.map((name) => [name, pick(random, values)]));
  }

  function randomValue(text: string): unknown {
    const { isList, values, name, min, max, step } = parseType(text);
    if (isList) {
      const entry = text.replace(/\[\]\??$/, "");
      return Array.from({ length: Math.floor(random() * 3) }, () => randomValue(entry));
    }
    if (values) return pick(random, values);
    if (name === "boolean") return chance(0.5);
    if (name === "uuid") return "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d0f";
    if (name === "date-time") return "2026-08-01T00:00:00.000Z";
    if (name === "number" || name === "integer") {
      const least = Number.isFinite(min) ? min : 0;
      const most = Number.isFinite(max) ? max : least + 1000;
      const whole = least + Math.floor((random() * (most - least)) / step) * step;
      return name === "number" && step === 1 && chance(0.3) ? whole + 0.5 : whole;
    }
    const object = RESPONSES[name];
    return object
      ? objectFrom(object.members, object.new, () => randomValue)
      : pick(random, ["x", "a text", "ünï"]);
  }

  const objectFrom = (
    members: Members,
    names: string | undefined,
    find: (member: string) => (type: string) => unknown,
  ) => ({
    ...newMembers(names),
    ...Object.fromEntries(
      Object.entries(members).map(([member, type]) => [
        member,
        // An entry without its identity is none: the list then counts as unknown, with a line.
        !IDENTITIES.has(member) && chance(0.3) ? nothing : find(member)(type),
      ]),
    ),
  });

  /** Entries of a declared list keep their contents, and get new members. */
  function withNew(name: string, entry: unknown): unknown {
    const object = RESPONSES[name];
    if (object === undefined || !isRecord(entry)) return entry;
    return { ...newMembers(object.new), ...(documented(name, entry) as object) };
  }

  function answer(text: string, value: unknown, place = ""): unknown {
    const { isList, name } = parseType(text);
    if (hidden.has(place)) return nothing;
    const object = RESPONSES[name];
    const isKept = declared.has(place) || /(^|\.)(id|serviceId|password)$/.test(place);
    if (Array.isArray(value) && isList && (isKept || chance(0.5)))
      return value.map((entry) => withNew(name, entry));
    if (isKept || (value !== undefined && object === undefined && chance(0.5))) return value;
    if (object === undefined || isList) return chance(0.4) ? nothing : randomValue(text);
    const isParent = [...declared, ...hidden].some((other) => other.startsWith(`${place}.`));
    const isKind = /^source\.\w+$/.test(place);
    if (value === undefined && isKind) return chance(0.5) ? nothing : {};
    if (!isParent && !isKind && place !== "" && chance(0.2)) return nothing;
    const known = isRecord(value) ? value : {};
    const prefix = place === "" ? "" : `${place}.`;
    const members = Object.entries(object.members).map(([member, type]) => [
      member,
      answer(type, known[member], prefix + member),
    ]);
    return { ...newMembers(object.new), ...Object.fromEntries(members) };
  }
  return answer;
}
