import { type ReportViolation, UnknownValueError } from "@pulumi/policy";
import { hasUnknown, UNKNOWN } from "pulumi-clouddb/definitions";
import type { Subject } from "./subject";

/** What a policy finds. Whatever it reads here and is not known, is said at the end. */
export interface Findings {
  /** The value at a place such as `settings.engineMaxThreads`; nothing where it is absent or unknown. */
  readonly read: (subject: Subject, place: string) => unknown;
  /** The same for a value that is judged even where the program does not declare it: by its output, once known. */
  readonly known: (subject: Subject, place: string) => unknown;
  /** The same for a value that what the program creates has to declare; `reason` says why, and what to do. */
  readonly demand: (subject: Subject, place: string, reason: string) => unknown;
  readonly violation: (subject: Subject | undefined, text: string) => void;
  /** A violation by an argument that is left out. */
  readonly missing: (subject: Subject, text: string) => void;
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
  const missing = (subject: Subject, text: string) => report(`${named(subject)}: ${text}`, subject.urn);
  const violation = (subject: Subject | undefined, text: string) => {
    const origin = " The program does not declare it; this is its current value.";
    if (subject === undefined) report(text);
    else missing(subject, subject.stage === "undeclared" ? `${text}${origin}` : text);
  };
  const read = (subject: Subject, place: string) => {
    const value = subject.value(place);
    if (hasUnknown(value)) note(subject, `${place} is not known yet`);
    return value === UNKNOWN ? undefined : value;
  };
  const known = (subject: Subject, place: string) => {
    const isMissing = subject.value(place) === undefined && subject.isUndeclared(place);
    if (isMissing && subject.stage === "undeclared") note(subject, `${place} is not declared, and not known yet`);
    return read(subject, place);
  };
  const demand = (subject: Subject, place: string, reason: string) => {
    if (!subject.isCreated) return known(subject, place);
    const isMissing = subject.stage === "declared" && subject.isUndeclared(place);
    if (isMissing) missing(subject, `${place} is not declared, and ${reason}.`);
    return read(subject, place);
  };
  judge({ read, known, demand, violation, missing, unchecked: note });
  if (open.size === 0) return;
  const parts = [...open].map(([who, texts]) => `${who}${who && ": "}${[...texts].join(", ")}`);
  throw notYetKnown(`${parts.join("; ")}. What is known was checked.`);
}

export function named({ kind, name }: Subject): string {
  return `${kind} "${name}"`;
}

/** The SDK's own error for a value that a preview cannot know, with a message of ours. */
export function notYetKnown(message: string): UnknownValueError {
  return Object.assign(new UnknownValueError(UNKNOWN, []), { message });
}
