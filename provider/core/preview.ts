import {
  diff,
  fieldPathsOf,
  isRecord,
  markState,
  nullFromCreation,
  type Properties,
  recordDeclared,
  UNKNOWN,
  withReferenceNames,
  withReferenceValues,
} from "../fields";
import { PUBLIC_KEY } from "./encrypted-password";
import { withId } from "./ids";
import { UNCERTAIN } from "./reads";
import type { Resource } from "./resource";

/*
 * The states that a preview shows.
 */

/** The outputs of an object to be created or adopted that a preview knows: its arguments. */
export function planCreation(resource: Resource, args: Properties): Properties {
  const declared = withReferenceValues(resource, args);
  const { fields, outputs, create, id } = resource;
  // The API fills in an argument that is left out, and returns it.
  const filled = fieldPathsOf(fields)
    .filter(
      ({ path, field }) =>
        path.length === 1 && field.inResponse && field.list?.unmanaged !== "keep",
    )
    .map(({ name }) => name);
  const known = { ...recordDeclared(resource, {}, declared), ...declared };
  const isAdopted =
    create !== undefined && typeof declared[id] === "string" && declared[id] !== UNKNOWN;
  const { password, ...ciphertext } = nullFromCreation(resource);
  const withoutCiphertext = declared[PUBLIC_KEY] === undefined ? ciphertext : {};
  // An adopted object lacks the outputs that only a creation returns.
  const missing = isAdopted ? { password, ...ciphertext } : withoutCiphertext;
  const next = { ...unknown([...filled, ...Object.keys(outputs)]), ...missing, ...known };
  return markState(resource, withReferenceNames(resource, next), declared);
}

/**
 * The planned state of an update. Outputs stay if only a creation returns them, or if no changed argument can change
 * them; all others may change.
 */
export function planUpdate(
  resource: Resource,
  id: string,
  outputs: Properties,
  args: Properties,
): Properties {
  const [stored, declared] = [
    withReferenceValues(resource, outputs),
    withReferenceValues(resource, args),
  ];
  const { changed } = diff(resource, withId(resource, id, stored), declared);
  const uncertain = Array.isArray(stored[UNCERTAIN]) ? stored[UNCERTAIN] : [];
  const changing = new Set([...changed.map(({ path: [name] }) => name), ...uncertain]);
  const pending = Object.entries(resource.outputs).filter(([name, { fromCreation, changedBy }]) => {
    return (
      !fromCreation &&
      !(isComplete(stored[name]) && changedBy?.every((argument) => !changing.has(argument)))
    );
  });
  const known = { ...recordDeclared(resource, stored, declared), ...declared };
  // Outputs that are kept may show the former text of an argument that is a secret.
  const next = { ...known, ...unknown(pending.map(([name]) => name)) };
  return markState(resource, withReferenceNames(resource, next), stored);
}

/** False for a value that the API may still fill, such as the endpoints of a new service. */
function isComplete(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isComplete);
  return isRecord(value)
    ? Object.values(value).every(isComplete)
    : value !== undefined && value !== null && value !== "";
}

function unknown(names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}
