import { type Definition, fieldPathsOf, type Properties, recordDeclared, UNKNOWN } from "../fields";

/** The planned state of an object to create or adopt: its arguments. The rest is unknown. */
export function plannedCreation({ fields, outputs }: Definition, inputs: Properties): Properties {
  // Arguments that the API fills in and returns when they are omitted.
  const filled = fieldPathsOf(fields)
    .filter(({ path, field }) => path.length === 1 && field.inResponse && field.list?.unmanaged !== "keep")
    .map(({ name }) => name);
  return { ...unknown([...filled, ...Object.keys(outputs)]), ...inputs };
}

/** The planned state of an update. Outputs that only a creation returns stay; any other may change. */
export function plannedUpdate(definition: Definition, state: Properties, inputs: Properties): Properties {
  const computed = Object.entries(definition.outputs).flatMap(([name, { secret }]) => (secret ? [] : [name]));
  return { ...recordDeclared(definition, state, inputs), ...inputs, ...unknown(computed) };
}

function unknown(names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}
