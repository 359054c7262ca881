import {
  diff,
  fieldPathsOf,
  isRecord,
  namesIn,
  nullFromCreation,
  type Properties,
  recordDeclared,
  UNKNOWN,
} from "../../fields";
import { UNCERTAIN } from "../../names";
import { PUBLIC_KEY } from "./encrypted-password";
import { withId } from "./ids";
import type { ManagedObject, Resource } from "./resource";

/* Planned states for previews. */

/** The known outputs of a planned creation or adoption: its arguments. */
export function planCreation(resource: Resource, inputs: Properties): Properties {
  const { fields, outputs, create, id } = resource;
  // The API may fill in and return an undeclared argument.
  const filled = fieldPathsOf(fields)
    .filter(
      ({ path, field }) =>
        path.length === 1 && field.inResponse && field.list?.unmanaged !== "keep",
    )
    .map(({ name }) => name);
  const known = { ...recordDeclared(resource, {}, inputs), ...inputs };
  const isAdopted =
    create !== undefined && typeof inputs[id] === "string" && inputs[id] !== UNKNOWN;
  const { password, ...ciphertext } = nullFromCreation(resource);
  const withoutCiphertext = inputs[PUBLIC_KEY] === undefined ? ciphertext : {};
  // An adopted object lacks create-only outputs.
  const missing = isAdopted ? { password, ...ciphertext } : withoutCiphertext;
  return { ...unknown([...filled, ...Object.keys(outputs)]), ...missing, ...known };
}

/**
 * The planned state of an update. Outputs stay if only a creation returns them or no changed
 * argument affects them; the rest is unknown.
 */
export function planUpdate(
  resource: Resource,
  { id, state }: ManagedObject,
  inputs: Properties,
): Properties {
  const { changed } = diff(resource, withId(resource, id, state), inputs);
  const changing = new Set([
    ...changed.map(({ path: [name = ""] }) => name),
    ...namesIn(state, UNCERTAIN),
  ]);
  const pending = Object.entries(resource.outputs).filter(([name, { fromCreation, changedBy }]) => {
    return (
      !fromCreation &&
      !(isComplete(state[name]) && changedBy?.every((argument) => !changing.has(argument)))
    );
  });
  const known = { ...recordDeclared(resource, state, inputs), ...inputs };
  return { ...known, ...unknown(pending.map(([name]) => name)) };
}

/** False for a value that the API may still complete, such as endpoints of a new service. */
function isComplete(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isComplete);
  return isRecord(value)
    ? Object.values(value).every(isComplete)
    : value !== undefined && value !== null && value !== "";
}

function unknown(names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}
