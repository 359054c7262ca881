// The documented classes and functions that programs use.
import { parentFields } from "../../provider/core/ids";
import { examplesOn, referencePage } from "../docs/examples";
import { textOf } from "../support/repository";
import { functionRow, requiredArguments } from "./program-tables";
import { allFunctions, capital, type Resource } from "./tables";
import { argumentsTypeOf, block, functionTypes, HEADER, member, resourceTypes } from "./types";
import { exportedTypes } from "./typescript";

/** The source of a resource's class, with the types of its arguments and outputs. */
export function classFile(name: string, resource: Resource): string {
  const { definition } = resource;
  const isRequired = requiredArguments(definition).length > 0;
  const state = stateOf(name, resource);
  const [kind, stateType] = hasGet(resource)
    ? [
        "Readable",
        `, [state${state.isRequired ? "" : "?"}: ${name}State, opts?: pulumi.CustomResourceOptions]`,
      ]
    : ["Resource", ""];
  const imports = `import { dynamicAdapter } from "../adapters";
import { create${kind}Class } from "../custom-resource";
import type { ${kind}Class } from "../resource-class";
import { classTables } from "./tables";

`;
  return `${HEADER.trimEnd()}
${imports}${resourceTypes(name, resource)}${hasGet(resource) ? state.text : ""}${docComment(definition.doc, name)}
export const ${name}: ${kind}Class<${name}, [args${isRequired ? "" : "?"}: ${name}Args, opts?: pulumi.CustomResourceOptions]${stateType}> = create${kind}Class(dynamicAdapter, classTables.${name});

export interface ${name} extends pulumi.CustomResource, ${name}Outputs {}
`;
}

/** True if programs can read an object without managing it. */
export function hasGet({ definition }: Resource): boolean {
  return definition.read !== undefined && definition.lifecycle === undefined;
}

/** The type of the place of an object, besides its id. */
function stateOf(name: string, { definition }: Resource): { text: string; isRequired: boolean } {
  const parents = parentFields(definition);
  const required = requiredArguments(definition);
  const members = parents.map(({ name: parent, field }) =>
    member({
      name: parent,
      type: "pulumi.Input<string>",
      sentences: [field.doc],
      isOptional: !required.includes(parent),
    }),
  );
  return {
    text: block(`The place of a ${name}, besides its id.`, `${name}State`, members),
    isRequired: parents.some((parent) => required.includes(parent.name)),
  };
}

/** The source of the functions, with the types of their arguments and results. */
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
      `${definition.doc} Sends one request per run of the program for the same arguments.`,
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

/** The source of the explicit providers, whose documentation is written by hand, with the examples. */
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
