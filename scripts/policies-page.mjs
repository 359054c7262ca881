// The page of the policies, made from their definitions: what each demands, its settings, and what it says.

/** @param {readonly import("../policies/policy/policy").CloudDbPolicy[]} policies */
export function policiesPage(policies) {
  const contents = policies.map(({ name, description, enforcementLevel }) => {
    return `| [\`${name}\`](#${name}) | ${enforcementLevel} | ${description} |`;
  });
  return `<!-- Made by \`npm run build\` from the policies. Do not edit. -->
# The policies

| policy | level | |
|---|---|---|
${contents.join("\n")}

[policies/README.md](../policies/README.md) says how to run them, and how to change levels and settings.

${policies.map(section).join("\n")}`;
}

function section(policy) {
  const { good, bad, reason } = policy.definition;
  const rows = Object.entries(policy.configSchema.properties).map(([name, schema]) => settingRow(name, schema));
  const settings = rows.length > 0 ? `| setting | | |\n|---|---|---|\n${rows.join("\n")}\n\n` : "";
  const says = saidBy(policy, bad).map((text) => `> ${text}`);
  return `## ${policy.name}

${policy.description} ${reason}

Level: ${policy.enforcementLevel}.

${settings}Passes${circumstances(good)}:

${program(good)}

Does not pass${circumstances(bad)}:

${program(bad)}

${says.join("\n>\n")}
`;
}

function settingRow(name, schema) {
  if (name === "byStack")
    return '| `byStack` | object | The same settings by pattern of stack names, such as `"dev*"`; the closest one counts. |';
  const { description = "", ...rest } = schema;
  return `| \`${name}\` | ${typeText(rest)} | ${description.replaceAll("*", "\\*")} |`;
}

function typeText({ type, anyOf, enum: choices, minimum, maximum, multipleOf, items, properties }) {
  if (choices) return choices.join(", ");
  if (anyOf) return anyOf.map(typeText).join(" or ");
  if (type === "array") return `list of ${items.enum ? items.enum.join(", ") : `${typeText(items)}s`}`;
  if (properties) return `object of ${Object.keys(properties).join(", ")}`;
  const isBound = (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const least = isBound(minimum) ? ` from ${minimum}` : "";
  const most = isBound(maximum) ? ` to ${maximum}` : "";
  const multiple = multipleOf && multipleOf !== 1 ? `, a multiple of ${multipleOf}` : "";
  return `${type === "integer" ? "whole number" : type === "string" ? "text" : type}${least}${most}${multiple}`;
}

function circumstances({ stack, settings }) {
  const where = stack ? `, in the stack \`${stack}\`` : "";
  return settings ? `${where}, with the settings \`${JSON.stringify(settings)}\`` : where;
}

function program({ resources }) {
  const lines = resources.map(({ kind, name, args, options }) => {
    const more = options ? `, ${literal(options)}` : "";
    return `new clouddb.${kind}("${name}", ${literal(args)}${more});`;
  });
  return `\`\`\`ts\n${lines.join("\n")}\n\`\`\``;
}

/** An object as somebody would write it in a program. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return members.length > 0 ? `{ ${members.join(", ")} }` : "{}";
}

/** What a policy reports for a program whose values are all known. */
function saidBy(policy, { stack = "dev", settings = {}, resources }) {
  const said = [];
  const report = (text) => void said.push(text);
  const given = resources.map(({ kind, name, args, options }) => ({
    type: `pulumi-nodejs:dynamic/clouddb:${kind}`,
    name,
    urn: `urn:pulumi:${stack}::example::pulumi-nodejs:dynamic/clouddb:${kind}::${name}`,
    // The provider's check resolves the organization of every resource.
    props: { organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01", ...args },
    opts: { protect: options?.protect ?? true },
    propertyDependencies: {},
  }));
  const getConfig = () => settings;
  for (const resource of given) policy.validateResource({ ...resource, getConfig }, report);
  policy.validateStack?.({ resources: given, getConfig }, report);
  return said;
}
