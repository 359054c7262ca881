import { type Definition, fieldPathsOf, markState, type Properties, recordDeclared, UNKNOWN } from "../fields";

/** What a preview can tell of an object that is to be created or adopted: its arguments. The rest only the API knows. */
export function plannedCreation(definition: Definition, inputs: Properties): Properties {
  const { fields, outputs, adoptionArgument = "" } = definition;
  // What the API fills in and answers for an argument that is left out.
  const filled = fieldPathsOf(fields)
    .filter(({ path, field }) => path.length === 1 && field.inResponse && field.list?.unmanaged !== "keep")
    .map(({ name }) => name);
  const known = { ...recordDeclared(definition, {}, inputs), ...inputs };
  const isAdopted = typeof inputs[adoptionArgument] === "string" && inputs[adoptionArgument] !== UNKNOWN;
  const created = Object.keys(outputs).filter((name) => outputs[name]?.secret);
  // What only a creation returns, an adopted object does not have.
  const missing = isAdopted ? Object.fromEntries(created.map((name) => [name, null])) : {};
  return markState(definition, { ...unknown([...filled, ...Object.keys(outputs)]), ...missing, ...known }, inputs);
}

/** The planned state of an update. Outputs that only a creation returns stay; any other may change. */
export function plannedUpdate(definition: Definition, state: Properties, inputs: Properties): Properties {
  const computed = Object.entries(definition.outputs).flatMap(([name, { secret }]) => (secret ? [] : [name]));
  const known = { ...recordDeclared(definition, state, inputs), ...inputs };
  return markState(definition, { ...known, ...unknown(computed) }, inputs);
}

function unknown(names: readonly string[]): Properties {
  return Object.fromEntries(names.map((name) => [name, UNKNOWN]));
}
