import fc from "fast-check";
import type { FaultEffect } from "../../simulator/index";
import { seldom } from "../faults/model/history";
import { ADOPTED, SCALED, type Slot, slots } from "../faults/model/scenario";
import type { Fault } from "../faults/model/schedule";
import type { Properties } from "../support/adapters/handlers";
import { findByName, type ResourceType, type Stack } from "../support/engine/state";

/** Random histories as data: the programs, commands, faults and changes by others of two stacks. */

/** A resource of a program, as the generic program of the engine reads it. Each depends on the one before. */
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

type Drawn<Items> = Items extends fc.Arbitrary<infer Item> ? Item : never;
export type Step = Drawn<typeof step>;
export type History = readonly Step[];

const names = Object.keys(slots) as Slot[];
const slot = fc.constantFrom(...names);
const resources = fc.record(
  Object.fromEntries(names.map((name) => [name, slots[name].args])) as Record<
    Slot,
    fc.Arbitrary<Properties>
  >,
  { requiredKeys: [] },
);

const status = (code: number): FaultEffect => ({ kind: "status", status: code });
const answer = (result: Properties): FaultEffect => ({ kind: "answer", result });
const fault: fc.Arbitrary<Fault> = fc.record({
  ending: fc.constantFrom<Fault["ending"]>(
    "crash before",
    "crash after",
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

export const history: fc.Arbitrary<History> = fc.array(step, { minLength: 2, maxLength: 4 });

/** A stack's program so far, by slot. */
export type Program = Partial<Record<Slot, ProgramResource>>;

/** The stack `us` shares a service and the organization with `dev`. */
const OF_US: readonly Slot[] = ["access", "organization"];

/** The program of the next step. */
export function nextProgram(before: Program, step: Step): Program {
  const next: Program = { ...before };
  for (const slot of step.stack === "us" ? OF_US : names) {
    const { type, always } = slots[slot];
    const declared = step.resources[slot];
    const former = before[slot];
    if (step.removed === slot) delete next[slot];
    else if (former || declared) {
      const name = former?.name ?? slot;
      const isRenamed = step.renamed?.slot === slot;
      const args = declared ? { ...declared, ...always } : (former?.args ?? {});
      const [ignoring, place] = step.ignored ?? [];
      const transformed = step.transformed?.[slot];
      next[slot] = {
        name: isRenamed ? `${name}x` : name,
        type,
        args,
        ...(isRenamed && step.renamed?.hasAlias && { alias: name }),
        ...(type === "Service" && (step.protection ?? { protect: true })),
        ...(ignoring === slot && { ignoreChanges: place ? [place] : Object.keys(args) }),
        ...(transformed && { transformed }),
      };
    }
  }
  return next;
}

/** The resource of a slot in state and program, which targets and replacements can name. */
export function knownName(stack: Stack, program: Program, slot?: Slot): string | undefined {
  const name = slot && program[slot]?.name;
  return name && findByName(stack, name) ? name : undefined;
}
