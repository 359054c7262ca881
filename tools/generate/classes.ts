// The documented classes and functions that programs use.
import { parentFields } from "../../provider/core/object/ids";
import { examplesOn, referencePage } from "../docs/examples";
import { textOf } from "../support/repository";
import { functionRow, requiredArguments } from "./program-tables";
import { allFunctions, capital, type Resource, withArticle } from "./tables";
import {
  argumentsTypeOf,
  block,
  functionTypes,
  HEADER,
  member,
  outputMembers,
  resourceTypes,
} from "./types";
import { exportedTypes } from "./typescript";

/** The source of a class for dynamic resources, with the types of arguments and outputs. */
export function classFile(name: string, resource: Resource): string {
  const { definition } = resource;
  const documented = docComment(definition.description, name);
  return `${HEADER.trimEnd()}
import { dynamicAdapter } from "../adapters";
import { ${helpersFor(resource).join(", ")} } from "../custom-resource";
import { CustomResource } from "../pulumi";
import { classTables } from "./tables";

${resourceTypes(name, resource)}${hasGet(resource) ? stateOf(resource, name) : ""}${documented}
${classText(name, resource, "dynamicAdapter", "", outputMembers(definition))}
/** The outputs of ${withArticle(name)}. */
export type ${name}Outputs = Omit<${name}, keyof CustomResource>;
`;
}

/** The functions that a generated class calls. */
export function helpersFor(resource: Resource): string[] {
  return ["isOfType", ...(hasGet(resource) ? ["parametersOfGet"] : []), "register"];
}

/**
 * The source of a class. It must extend CustomResource directly: Pulumi counts stack frames to find
 * the resource's place in the program.
 */
export function classText(
  name: string,
  resource: Resource,
  adapter: "dynamicAdapter" | "nativeAdapter",
  types: "" | "dynamic.",
  members: readonly string[],
): string {
  const optional = requiredArguments(resource.definition).length > 0 ? "" : "?";
  const args = `${types}${name}Args`;
  return `export class ${name} extends CustomResource {
  /** The type under which states know the resource. */
  static readonly __pulumiType: string = ${adapter}.typeOf("${name}");

  /** True for an instance of this class, from any copy of the package. */
  static override isInstance(value: unknown): value is ${name} {
    return isOfType(${name}.__pulumiType, value);
  }
${hasGet(resource) ? getText(name, resource, types) : ""}
${members.join("\n")}

  constructor(name: string, args${optional}: ${args}, opts?: pulumi.CustomResourceOptions) {
    const registration = register(${adapter}, classTables.${name}, name, args, opts);
    const { type, properties, options, finish, fail } = registration;
    try {
      super(type, name, properties, options);
      finish(this);
    } catch (error) {
      throw fail(error);
    }
  }
}
`;
}

/** The source of the static method `get`. */
function getText(name: string, resource: Resource, types: string): string {
  const optional = placeOf(resource).isRequired ? "" : "?";
  return `
  /**
   * Reads an existing object without managing it.
   *
   * @param name The name of the resource in the program.
   * @param id The ID of the object.
   * @param state The place of the object, besides its ID. The organization defaults to the provider's.
   * @param opts Pulumi's options, such as an explicit provider.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, state${optional}: ${types}${name}State, opts?: pulumi.CustomResourceOptions): ${name} {
    return new ${name}(name, ...parametersOfGet<${types}${name}Args>(classTables.${name}, id, state, opts));
  }
`;
}

/** True if programs can read an object without managing it. */
export function hasGet({ definition }: Resource): boolean {
  return definition.read !== undefined && definition.lifecycle === undefined;
}

/** The arguments that locate an object, besides its ID. */
function placeOf({ definition }: Resource) {
  const parents = parentFields(definition);
  const required = requiredArguments(definition);
  return { parents, required, isRequired: parents.some(({ name }) => required.includes(name)) };
}

/** The type of the arguments that locate an object. */
function stateOf(resource: Resource, name: string): string {
  const { parents, required } = placeOf(resource);
  const members = parents.map(({ name: parent, field }) =>
    member({
      name: parent,
      type: "pulumi.Input<string>",
      sentences: [field.description],
      isOptional: !required.includes(parent),
    }),
  );
  return block(`The place of ${withArticle(name)}, besides its ID.`, `${name}State`, members);
}

/** The source of the functions, with the types of arguments and results. */
export function functionsFile(): string {
  const declarations = allFunctions.map(([name, definition]) => {
    const { secrets } = functionRow(definition);
    const [argsType, result] = [argumentsTypeOf(name), `${capital(name)}Result`];
    const members = secrets.map((secret) => `\`${secret}\``).join(" or ");
    const unmarked = `The result is not marked as a secret. If it may contain ${members}, use \`${name}Output\`.`;
    const output = argsType
      ? `\`${name}\` with Outputs as arguments.`
      : `\`${name}\` as an Output.`;
    const marked = secrets.length > 0 ? ` A result that contains ${members} is a secret.` : "";
    const paragraphs = [
      `${definition.description} Sends one request per run of the program for the same arguments.`,
    ];
    return `${functionTypes(name, definition)}${docComment([...paragraphs, ...(secrets.length > 0 ? [unmarked] : [])], name)}
export function ${name}(${argsType ? `args: ${argsType}, ` : ""}opts: FunctionOptions = {}): Promise<${result}> {
  return call(dynamicAdapter, "${name}", ${argsType ? "args" : "{}"}, opts);
}

${docComment([output + marked], name)}
export function ${name}Output(${argsType ? `args: Inputs<${argsType}>, ` : ""}opts: FunctionOutputOptions = {}): pulumi.Output<${result}> {
  return callOutput(dynamicAdapter, "${name}", ${argsType ? "args" : "{}"}, opts);
}
`;
  });
  return `${HEADER.trimEnd()}
import { dynamicAdapter } from "../adapters";
import { call, callOutput } from "../call";
import type { FunctionOptions, FunctionOutputOptions } from "../provider";
import type { ${exportedTypes.pipe?.join(", ")} } from "./pipe";

type Inputs<Args> = { [Name in keyof Args]: pulumi.Input<NonNullable<Args[Name]>> | Extract<Args[Name], undefined> };

${declarations.join("\n")}`;
}

/** The source of the explicit providers, with examples added to their handwritten documentation. */
export function withProviderExamples(): string {
  const [before = "", after = ""] = textOf("provider/sdk/provider.ts").split(
    / \* @example\n(?: \*.*\n)* \*\/\n/,
  );
  return `${before}${docComment([], "Provider").replace("/**\n *\n", "")}\n${after}`;
}

/** A doc comment with the examples of a class or function. */
function docComment(paragraphs: readonly string[], example: string): string {
  const prose = paragraphs.flatMap((paragraph) => [
    ...(paragraph.match(/.{1,116}(?: |$)/g) ?? []),
    "",
  ]);
  const examples = examplesOn(referencePage(example)).flatMap(({ codes }) => [
    "@example",
    "```ts",
    ...(codes.ts ?? "").split("\n"),
    "```",
  ]);
  const lines = [...(prose.length > 0 ? prose : [""]), ...examples];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}
