import { ENTRY, URN } from "../../provider/names";
import type { JournalEntry } from "../../simulator/index";
import type { Stored } from "../support/engine/state";
import { EXAMPLE, exampleSeed } from "../support/example";

/**
 * Records of behavior, which jest compares with its snapshots: `-u` records a wanted difference.
 */

const { service, otherService, pipes } = EXAMPLE;
const ORGANIZATION = String(exampleSeed.organizations?.[0]?.id);
/** IDs of the simulator's example seed. */
const KNOWN: Readonly<Record<string, string>> = {
  [ORGANIZATION]: "organization",
  [service]: "service",
  [otherService]: "other service",
  [pipes.kafka]: "pipe",
  [pipes.postgres]: "postgres pipe",
};

/**
 * Values that differ between runs, and their placeholders. The API's times are those of this
 * machine.
 */
const GENERATED: readonly [pattern: RegExp, placeholder: string][] = [
  [/(?<="password":")[\w-]{24}(?=")/g, "<password>"],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>"],
  [/(?<=127\.0\.0\.1:)\d+/g, "<port>"],
  [/(?<="process":)\d+/g, '"<pid>"'],
  [/(?<="(salt|iv|tag|text)":")[\w+/=]+/g, "<sealed>"],
  [/(?<="encryptedPassword":")[\w+/=]+/g, "<encrypted>"],
  [/\/[\w./-]*\/clouddb-[\w-]+/g, "<folder>"],
  // The adapters have types of their own.
  [/pulumi-nodejs:dynamic\/clouddb:/g, "clouddb:index:"],
];
const ID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[0-9a-f]{32}\b|\b[0-9a-f]{8}(?=\.)/g;

/** A copy with placeholders for generated values: equal IDs stay equal. */
export function placeholders<Value>(value: Value): Value {
  const ids: string[] = [];
  const numbered = (id: string) => {
    if (KNOWN[id] !== undefined) return `<${KNOWN[id]}>`;
    if (!ids.includes(id)) ids.push(id);
    return `<id ${1 + ids.indexOf(id)}>`;
  };
  const text = GENERATED.reduce(
    (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
    JSON.stringify(sorted(value))
      .replaceAll(`/v1/organizations/${ORGANIZATION}`, "<organization>")
      .replace(ID, numbered),
  );
  return JSON.parse(text);
}

/** The value with members in alphabetical order: that of a message is not defined. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** Requests with bodies, each in a line that ends with the status. */
export const requestLines = (requests: readonly JournalEntry[]): string[] =>
  requests.map(({ method, path, body, status }) =>
    [method, path, ...(body === null ? [] : [JSON.stringify(sorted(body))]), status].join(" "),
  );

/** The outcome of a case: texts, lists of texts, and the resource as it is stored. */
export interface Outcome {
  readonly requests: readonly string[];
  readonly error?: string | undefined;
  readonly messages: readonly string[];
  readonly stored: Stored | undefined;
}

type Times = "once" | "forever";

/**
 * The outcomes of many cases, a line for each of their parts, by the cases that share the line.
 * Faults of one expected reaction that all share it stand there as that reaction.
 */
export function createWitness() {
  const reactions = new Map<string, string[]>();
  const cases = new Map<string, Record<Times, string[]>>();
  const add = (map: Map<string, string[]>, key: string, value: string) =>
    map.set(key, [...(map.get(key) ?? []), value]);

  function shortened(faults: readonly string[]): string[] {
    const complete = [...reactions].filter(([, all]) => all.every((item) => faults.includes(item)));
    if (complete.length === reactions.size) return ["all"];
    const others = faults.filter((fault) => !complete.some(([, all]) => all.includes(fault)));
    return [...complete.map(([reaction]) => `[${reaction}]`), ...others];
  }

  function groupOf({ once, forever }: Record<Times, string[]>): string {
    const parts = {
      "": shortened(once.filter((fault) => forever.includes(fault))),
      "once: ": shortened(once.filter((fault) => !forever.includes(fault))),
      "forever: ": shortened(forever.filter((fault) => !once.includes(fault))),
    };
    return Object.entries(parts)
      .flatMap(([times, names]) => (names.length === 0 ? [] : [times + names.join(", ")]))
      .join("; ");
  }

  return {
    add(fault: string, times: Times, reaction: string, outcome: Outcome): void {
      if (times === "once") add(reactions, reaction, fault);
      for (const line of new Set(linesOf(placeholders(outcome)))) {
        const group = cases.get(line) ?? { once: [], forever: [] };
        group[times].push(fault);
        cases.set(line, group);
      }
    },
    groups(): Record<string, string[]> {
      const groups = new Map<string, string[]>();
      for (const [line, names] of cases) add(groups, groupOf(names), line);
      return Object.fromEntries(groups);
    },
  };
}

function linesOf({ requests, error = "", messages, stored }: Outcome): string[] {
  const parts = (text: string) => text.split(/(?<=[.:]) | (?=\()/).filter(Boolean);
  // A message of a retry has the reason of the error.
  const others = counted(messages).flatMap(parts);
  // The order of requests, and each of them once.
  const order = counted(requests.map((request) => request.replace(/^(\w+).* (\d+)$/, "$1 $2")));
  return [
    `requests: ${order.join(", ")}`,
    ...requests.map((request) => request.replace(/ \d+$/, "")),
    ...parts(error).map((part) => `error: ${part}`),
    ...others.filter((part) => !parts(error).includes(part)).map((part) => `message: ${part}`),
    ...storedLines(stored),
  ];
}

/** A resource of a state, a line for each member but those of one adapter. */
function storedLines(stored: Stored | undefined): string[] {
  if (stored === undefined) return [];
  const { id, isPartial, inputs, outputs } = stored;
  return Object.entries({ stored: { id, isPartial }, inputs, outputs }).flatMap(([name, values]) =>
    Object.entries(values)
      .filter(([key]) => key !== URN && key !== ENTRY)
      .map(([key, value]) => `${name}.${key}: ${JSON.stringify(value)}`),
  );
}

/** The lines of a resource that a command has changed. */
export function changedLines(before: Stored | undefined, after: Stored | undefined): string[] {
  const [old, next] = [storedLines(before), storedLines(after)];
  const memberOf = (line: string) => line.split(":")[0];
  const removed = old.filter((line) => !next.some((item) => memberOf(item) === memberOf(line)));
  const changed = next.filter((line) => !old.includes(line));
  return [...changed, ...removed.map((line) => `- ${memberOf(line)}`)];
}

/** Texts in order, with the number of repetitions. */
function counted(texts: readonly string[]): string[] {
  const counts: [text: string, count: number][] = [];
  for (const text of texts) {
    const last = counts.at(-1);
    if (last?.[0] === text) last[1] += 1;
    else counts.push([text, 1]);
  }
  return counts.map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
}
