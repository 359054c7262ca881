import { type ReportViolation, UnknownValueError } from "@pulumi/policy";
import { hasUnknown, UNKNOWN, valueAt } from "pulumi-clouddb/definitions";
import type { Subject } from "./subject";

/** What a policy finds. Whatever it reads here and is not known, is said at the end. */
export interface Findings {
  /** The value at a place such as `settings.engineMaxThreads`; nothing where it is absent or unknown. */
  readonly read: (subject: Subject, place: string) => unknown;
  readonly violation: (subject: Subject | undefined, text: string) => void;
  /** Something that could not be checked, and why. */
  readonly unchecked: (subject: Subject | undefined, text: string) => void;
}

/**
 * Runs a judgement and reports what it finds. What could not be checked is reported last, as an advice at any level:
 * that is what the SDK makes of this error, while all that was reported before keeps its level.
 */
export function judged(report: ReportViolation, judge: (findings: Findings) => void): void {
  const open = new Map<string, Set<string>>();
  const note = (subject: Subject | undefined, text: string) => {
    const who = subject === undefined ? "" : named(subject);
    open.set(who, (open.get(who) ?? new Set()).add(text));
  };
  judge({
    read(subject, place) {
      const value = valueAt(subject.inputs, place.split("."));
      if (hasUnknown(value)) note(subject, `${place} is not known yet`);
      return value === UNKNOWN ? undefined : value;
    },
    violation: (subject, text) => report(subject ? `${named(subject)}: ${text}` : text, subject?.urn),
    unchecked: note,
  });
  if (open.size === 0) return;
  const parts = [...open].map(([who, texts]) => `${who}${who && ": "}${[...texts].join(", ")}`);
  throw notYetKnown(`${parts.join("; ")}. What is known was checked.`);
}

export function named({ kind, name }: Subject): string {
  return `${kind} "${name}"`;
}

/** The SDK's own error for a value that a preview cannot know, with a message of ours. */
function notYetKnown(message: string): UnknownValueError {
  return Object.assign(new UnknownValueError(UNKNOWN, []), { message });
}
