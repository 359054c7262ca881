import { isRecord, type Properties, valueAt, withValue } from "../fields";

/*
 * The resources of a Terraform state, version 4. No text of the state reaches an error message: it may be a secret.
 */

/** An instance of a resource of the ClickHouse provider. */
export interface StateObject {
  readonly address: string;
  readonly type: string;
  /** Module, name and index in one word. */
  readonly label: string;
  /** Without what Terraform knows to be sensitive. */
  readonly attributes: Properties;
  /** The sensitive attributes, by their paths. */
  readonly sensitive: readonly string[];
  /** The alias of the provider that manages it. */
  readonly alias: string | undefined;
  /** With attributes in the format of Terraform 0.11, which are not read. */
  readonly isLegacy: boolean;
  /** Replaced in Terraform, but not deleted yet. */
  readonly isDeposed: boolean;
}

const HELP = "Pass terraform.tfstate, or `-` and the output of `terraform state pull`.";

/** The managed resources of the ClickHouse provider in a state. */
export function readState(text: string): StateObject[] {
  const state = parse(text);
  if ("encrypted_data" in state) {
    throw new Error("the state is encrypted by OpenTofu. Run `tofu state pull | clouddb-from-terraform -` instead.");
  }
  if ("format_version" in state) throw new Error(`this is the output of \`terraform show -json\`. ${HELP}`);
  if (typeof state.version === "number" && state.version !== 4) {
    throw new Error(
      `the state has version ${state.version}, and only version 4 can be read. Terraform 0.12 and later write it: run \`terraform apply -refresh-only\` with one of them.`,
    );
  }
  if (state.version !== 4 || !Array.isArray(state.resources)) {
    throw new Error(`the file is not a state of Terraform. ${HELP}`);
  }
  const managed = state.resources.filter(isRecord).filter(({ mode }) => mode === "managed");
  const ours = managed.filter(({ type }) => String(type).startsWith("clickhouse_"));
  if (ours.length === 0) {
    throw new Error(
      `the state has no resource of the ClickHouse provider, only ${managed.length} of others. Pass the state that has the services.`,
    );
  }
  return ours.flatMap((resource) => instancesOf(resource).map((instance) => objectOf(resource, instance)));
}

function parse(text: string): Properties {
  if (text.trim() === "") throw new Error(`the input is empty. ${HELP}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message repeats a part of the text.
  }
  if (!isRecord(value)) throw new Error(`the input is not a state in JSON. ${HELP}`);
  return value;
}

const instancesOf = ({ instances }: Properties) => (Array.isArray(instances) ? instances.filter(isRecord) : []);

function objectOf(resource: Properties, instance: Properties): StateObject {
  const { type, name, module = "", provider = "" } = resource;
  const { index_key: key, deposed } = instance;
  const index = key === undefined ? "" : `[${JSON.stringify(key)}]`;
  const words = `${module} ${name} ${key ?? ""}`.replace(/\bmodule\./g, "").match(/[\p{ID_Continue}-]+/gu) ?? [];
  const [, alias] = /\]\.([\p{ID_Continue}-]+)$/u.exec(String(provider)) ?? [];
  let attributes = withoutTypes(isRecord(instance.attributes) ? instance.attributes : {});
  const paths = sensitivePaths(instance.sensitive_attributes);
  // A path without attributes is that of the whole object.
  const all = paths.some((path) => path.length === 0) ? Object.keys(attributes).map((name) => [name]) : paths;
  const sensitive = all.filter((path) => valueAt(attributes, path) !== undefined);
  for (const path of sensitive) attributes = withValue(attributes, path, undefined);
  return {
    address: `${module === "" ? "" : `${module}.`}${type}.${name}${index}`,
    type: String(type),
    label: words.join("-"),
    attributes,
    sensitive: sensitive.map((path) => path.join(".")),
    alias,
    isLegacy: !isRecord(instance.attributes) && isRecord(instance.attributes_flat),
    isDeposed: deposed !== undefined,
  };
}

/** A state has the values of dynamic attributes beside their types. */
function withoutTypes(attributes: Properties): Properties {
  const plain = (value: unknown) => (isRecord(value) && "value" in value && "type" in value ? value.value : value);
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, plain(value)]));
}

/** Paths of attributes. An entry of a list counts as the whole list. */
function sensitivePaths(value: unknown): string[][] {
  const paths = Array.isArray(value) ? value.filter(Array.isArray) : [];
  return paths.map((path: unknown[]) => {
    const steps = path.filter(isRecord);
    const end = steps.findIndex(({ type }) => type !== "get_attr");
    return steps.slice(0, end < 0 ? undefined : end).map((step) => String(step.value));
  });
}
