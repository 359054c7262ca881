import fc from "fast-check";
import type { FaultEffect } from "../../simulator/index";
import { status } from "../faults/expectation";
import { type Drawn, seldom } from "../faults/model/history";
import { ADOPTED, SCALED, type Slot, slots } from "../faults/model/scenario";
import type { Fault } from "../faults/model/schedule";
import type { Properties } from "../support/adapters/handlers";
import type { ResourceType, StateResource } from "../support/engine/state";

/** Random histories as data: the programs, commands, faults and changes by others of two stacks. */

/**
 * Independent resources run in any order: only what does not depend on it is drawn and compared.
 */
const PARALLEL = 4;

/** A resource of a program, as the generic program of the engine reads it. */
export interface ProgramResource {
  readonly name: string;
  readonly type: ResourceType;
  readonly args: Properties;
  readonly alias?: string;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly ignoreChanges?: readonly string[];
  /** The arguments that a transformation adds, after the class. */
  readonly transformed?: Properties;
}

export type Step = Drawn<typeof step>;
export interface History {
  readonly steps: readonly Step[];
  readonly parallel: number;
  /** The seed of the order of events in the twin. */
  readonly order: number;
}

export const names = Object.keys(slots) as Slot[];
const slot = fc.constantFrom(...names);
const resources = fc.record(
  Object.fromEntries(names.map((name) => [name, slots[name].args])) as Record<
    Slot,
    fc.Arbitrary<Properties>
  >,
  { requiredKeys: [] },
);

const answer = (result: Properties): FaultEffect => ({ kind: "answer", result });
const fault: fc.Arbitrary<Fault> = fc.record({
  ending: fc.constantFrom<Fault["ending"]>(
    "crash before",
    "crash after",
    "plugin crash before",
    "plugin crash after",
    { kind: "reset", when: "before" },
    { kind: "reset", when: "after" },
    { kind: "truncated" },
    { kind: "malformed" },
    { kind: "normalised" },
    status(400),
    status(403),
    status(500),
    // Responses that contradict the program.
    answer({ numReplicas: 7 }),
    answer({ name: "of the server", ipAccessList: [] }),
    answer({ streaming_max_insert_wait_ms: 9000 }),
  ),
  method: fc.constantFrom("PATCH", "PATCH", "GET", "POST"),
  skipped: fc.nat(2),
  times: fc.constantFrom(1, 2),
});

const edit = fc.constantFrom<readonly [path: string, body: Properties]>(
  [`/${ADOPTED}`, { name: "changed by hand" }],
  [`/${SCALED}/replicaScaling`, { numReplicas: 5 }],
  [`/${SCALED}`, { ipAccessList: { add: [{ source: "192.0.2.9", description: "theirs" }] } }],
);

const step = fc.record({
  stack: fc.constantFrom("dev", "dev", "dev", "us"),
  command: fc.constantFrom("up", "up", "up", "up", "up --refresh", "refresh"),
  /** New arguments of resources; those that are not named stay as they are. */
  resources,
  removed: seldom(5, slot),
  renamed: seldom(3, fc.record({ slot, hasAlias: fc.boolean() })),
  ignored: seldom(4, fc.tuple(slot, fc.constantFrom("", "ipAccessList[0]", "settings.*"))),
  transformed: seldom(4, resources),
  protection: seldom(4, fc.record({ protect: fc.boolean(), retainOnDelete: fc.boolean() })),
  target: seldom(7, slot),
  replaced: seldom(10, slot),
  continuesOnError: fc.boolean(),
  fault: seldom(3, fault),
  edit: seldom(4, edit),
});

const steps = fc.array(step, { minLength: 2, maxLength: 4 });
export const history: fc.Arbitrary<History> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ steps, parallel: fc.constant(1), order: fc.constant(0) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      steps: steps.map((all) =>
        all.map(({ resources: { organization: _, ...resources }, ...each }) => ({
          ...each,
          // Services show endpoints of the organization, whose change has no certain order here.
          resources,
          fault: undefined,
          replaced: undefined,
        })),
      ),
      parallel: fc.constant(PARALLEL),
      order: fc.nat(1_000_000),
    }),
  },
);

/** A stack's program so far, by slot. */
export type Program = Partial<Record<Slot, ProgramResource>>;

/** A step with what its command needs: the program, and the URNs of what it names. */
export interface ResolvedStep extends Step {
  readonly isPreview: boolean;
  /** With 1, each resource depends on the one before. */
  readonly parallel: number;
  readonly program: Program;
  readonly targetUrn?: string | undefined;
  readonly replacedUrn?: string | undefined;
}

/** The effects of a command. */
export interface Observation {
  readonly hasFailed: boolean;
  /** URNs and names of operations. */
  readonly operations: readonly string[];
  readonly requests: readonly unknown[];
  /** The codes of messages. */
  readonly codes: readonly string[];
  readonly state: readonly Partial<StateResource>[];
  /** The services of the API. */
  readonly services: readonly Properties[];
  /** The output of the real command, which a difference shows. */
  readonly output?: string;
}

/** Codes that only the classes of programs show. */
const OF_CLASSES = ["CDB5001"];

export function codesIn(text: string): string[] {
  const codes = new Set(text.match(/\bCDB\d{4}\b/g));
  return [...codes].filter((code) => !OF_CLASSES.includes(code)).sort();
}
