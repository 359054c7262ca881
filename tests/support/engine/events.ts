import { isDeepStrictEqual } from "node:util";
import { parseUrn } from "../../../provider/names";
import { engineEvent } from "../../../report/read/schema";
import type { Properties } from "../adapters/handlers";
import { shown } from "../adapters/values";
import type { Operation, Result } from "./command";

/** The events that the engine writes, as far as a report reads them. */

/** Steps that belong to another one: summaries do not count them. */
const isPart = ({ name, old }: Operation) =>
  name === "refresh" ||
  name.startsWith("create-") ||
  (name.endsWith("-replaced") && !old?.isToDelete);

export function eventsOf({ operations, failures }: Result, messages: readonly string[]) {
  const steps = operations.map((operation) => ({ metadata: stepOf(operation) }));
  const resourceChanges: Record<string, number> = {};
  for (const operation of operations)
    if (!isPart(operation))
      resourceChanges[operation.name] = (resourceChanges[operation.name] ?? 0) + 1;
  const diagnostics = [
    ...messages.map((message) => ({ severity: "warning", message })),
    ...failures.map(({ urn, error: { message } }) => ({ severity: "error", urn, message })),
  ];
  return [
    { preludeEvent: {} },
    ...diagnostics.map((diagnosticEvent) => ({ diagnosticEvent })),
    ...steps.flatMap((step) => [{ resourcePreEvent: step }, { resOutputsEvent: step }]),
    { summaryEvent: { resourceChanges } },
    { cancelEvent: {} },
  ].map((event) => engineEvent.parse(JSON.parse(JSON.stringify(event))));
}

function stepOf(operation: Operation) {
  const { urn, name, old, new: next, keys } = operation;
  const isUpdate = old?.inputs !== undefined && next?.inputs !== undefined;
  return {
    ...{ op: name, urn, type: parseUrn(urn).type, keys },
    ...{ old: old && stateOf(old), new: next && stateOf(next) },
    diffs: isUpdate && name !== "same" ? pathsOf(old.inputs, next.inputs) : [],
    logical: !isPart(operation),
  };
}

function stateOf({
  isToDelete,
  inputs = {},
  outputs = {},
  ...state
}: NonNullable<Operation["old"]>) {
  return { ...state, inputs: shown(inputs), outputs: shown(outputs), delete: isToDelete };
}

/** The paths at which inputs differ: events name them, also where the values are secret. */
function pathsOf(old: unknown, next: unknown, path = ""): string[] {
  const isObject = [old, next].every((value) => typeof value === "object" && value !== null);
  if (!isObject || Array.isArray(old) || Array.isArray(next))
    return isDeepStrictEqual(old, next) ? [] : [path];
  const [before, after] = [old as Properties, next as Properties];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => pathsOf(before[name], after[name], join(path, name)));
}

const join = (path: string, name: string) =>
  name.includes(".") ? `${path}["${name}"]` : path === "" ? name : `${path}.${name}`;
