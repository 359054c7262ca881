// The demands of the Pulumi registry on the package schema and its two pages, and changes of it that break programs.
import { version } from "../../provider/package.json";
import schema from "../../provider/schema.json";
import { web } from "../docs/links";
import { changesetsIn } from "../release/changelog";
import { run } from "../support/process";
import { root, textOf } from "../support/repository";
import { type CheckResult, resultOf } from "./tool";

const PACKAGE = "pulumi-clouddb";
const FILE = "provider/schema.json";
const PAGES = ["docs/_index.md", "docs/installation-configuration.md"];
const CATEGORIES = ["cloud", "database", "infrastructure", "monitoring", "network", "utility", "vcs"];
const REQUIRED = [
  ...["name", "displayName", "version", "description", "license", "homepage", "repository", "publisher"],
  ...["logoUrl", "pluginDownloadURL"],
];

interface Type {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Type;
  readonly additionalProperties?: Type;
  readonly oneOf?: readonly Type[];
}

interface Members {
  readonly properties?: Readonly<Record<string, Type>> | undefined;
  readonly required?: readonly string[] | undefined;
}

interface Resource extends Members {
  readonly inputProperties?: Members["properties"];
  readonly requiredInputs?: Members["required"];
}

/** The parts of a package schema that programs rely on. */
export interface PackageSchema {
  readonly config?: { readonly variables?: Members["properties"] };
  readonly resources?: Readonly<Record<string, Resource>>;
  readonly functions?: Readonly<Record<string, { readonly inputs?: Members; readonly outputs?: Members }>>;
  readonly types?: Readonly<Record<string, Members & { readonly enum?: readonly Value[] }>>;
  readonly language?: Readonly<Record<string, object>>;
}

interface Package {
  readonly packageName?: string;
  readonly importBasePath?: string;
}

interface Value {
  readonly name?: string;
  readonly value: unknown;
}

export async function packageSchema(): Promise<CheckResult> {
  return resultOf([
    ...problemsOfRegistry(schema),
    ...PAGES.flatMap((page) => problemsOfPage(textOf(page)).map((problem) => `${page}: ${problem}`)),
    ...(await unannounced()),
  ]);
}

/** The registry takes no package without these. */
export function problemsOfRegistry(spec: Readonly<Record<string, unknown>>): string[] {
  const category = (spec.keywords as string[] | undefined)?.find((keyword) => keyword.startsWith("category/"));
  return [
    ...REQUIRED.filter((key) => !spec[key]).map((key) => `${FILE}: no ${key}`),
    ...(`pulumi-${spec.name}` === web.split("/").at(-1) ? [] : [`${FILE}: the name is not that of the repository`]),
    ...(spec.version === version ? [] : [`${FILE}: the version is not that of the package`]),
    ...(CATEGORIES.includes(`${category}`.slice("category/".length)) ? [] : [`${FILE}: no known category/… keyword`]),
  ];
}

/** The registry shows pages at another address, where relative links and pictures lead nowhere. */
export function problemsOfPage(text: string): string[] {
  const [, facts] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  const relative = /(?:\]\(|(?:src|href)=["'])(?!https?:|#)\S*/g;
  return [
    ...["title", "meta_desc"]
      .filter((key) => !new RegExp(`^${key}: ".+"$`, "m").test(facts ?? ""))
      .map((key) => `no ${key}`),
    ...[...text.matchAll(relative)].map(([link]) => `not the address of a page: ${link}`),
  ];
}

/** Breaking changes since the last release that no changeset tells users. */
async function unannounced(): Promise<string[]> {
  const released = await run("git", ["show", `v${version}:${FILE}`], { cwd: root });
  // Before the first release, and while one is prepared.
  if (released.code !== 0) return [];
  const announcements = (await changesetsIn(root))
    .filter(
      ({ releases, summary }) => releases.some(({ name }) => name === PACKAGE) && summary.startsWith("**Breaking**"),
    )
    .map(({ summary }) => summary);
  return breakingChanges(JSON.parse(released.stdout), schema)
    .filter(({ name }) => !announcements.some((text) => text.includes(`\`${name}\``)))
    .map(
      ({ name, what }) =>
        `${FILE}: ${what} since ${version}, which breaks programs. If that is intended, say so in a changeset for ${PACKAGE} that starts with **Breaking** and names \`${name}\``,
    );
}

/** A part of the schema that programs rely on. */
interface Promised {
  /** The name that users know. */
  readonly name: string;
  readonly type: string;
  /** The key of the object, resource, function or type that it belongs to. */
  readonly container?: string | undefined;
  /** True for an argument that must be given, and an output that is always there. */
  readonly isRequired?: boolean;
}

/** The changes that an existing program may not survive, each with the name that users know. */
export function breakingChanges(before: PackageSchema, after: PackageSchema): { name: string; what: string }[] {
  const [old, now] = [promisesOf(before), promisesOf(after)];
  const changes = [...old].flatMap(([key, { name, type, container, isRequired }]) => {
    const what = (change: string) => [{ name, what: `the ${key} ${change}` }];
    const current = now.get(key);
    if (current === undefined) return container === undefined || now.has(container) ? what("is gone") : [];
    if (current.type !== type) return what(`was ${type} and is ${current.type}`);
    return isRequired && key.startsWith("output") && !current.isRequired ? what("may be absent") : [];
  });
  const demands = [...now].flatMap(([key, { name, container, isRequired }]) => {
    const isNew = isRequired && key.startsWith("argument") && !old.get(key)?.isRequired;
    return isNew && container !== undefined && old.has(container) ? [{ name, what: `the ${key} is required` }] : [];
  });
  return [...changes, ...demands];
}

/** All parts of a schema that programs rely on, by what users read of them. */
function promisesOf({
  config = {},
  resources = {},
  functions = {},
  types = {},
  language = {},
}: PackageSchema): Map<string, Promised> {
  const promises = new Map<string, Promised>();
  const add = (kind: string, { properties = {}, required = [] }: Members, owner?: string, outer?: Promised): void => {
    for (const [member, type] of Object.entries(properties)) {
      const name = outer === undefined ? member : `${outer.name}.${member}`;
      const container = outer === undefined ? owner : keyOf(kind, outer.name, owner);
      const promised = { name, type: textOfType(type), container, isRequired: required.includes(member) };
      promises.set(keyOf(kind, name, owner), promised);
      add(kind, membersOf(type, types), owner, promised);
    }
  };
  const addOwner = (kind: string, token: string): string => {
    const name = shortName(token);
    const key = keyOf(kind, name);
    promises.set(key, { name, type: `a ${kind}` });
    return key;
  };
  add("setting", { properties: config.variables });
  for (const [name, { packageName, importBasePath }] of Object.entries<Package>(language)) {
    promises.set(keyOf("package for", name), { name, type: `${packageName ?? importBasePath}` });
  }
  for (const [token, { inputProperties, requiredInputs, ...outputs }] of Object.entries(resources)) {
    const owner = addOwner("resource", token);
    add("argument", { properties: inputProperties, required: requiredInputs }, owner);
    add("output", outputs, owner);
  }
  for (const [token, { inputs = {}, outputs = {} }] of Object.entries(functions)) {
    const owner = addOwner("function", token);
    add("argument", inputs, owner);
    add("output", outputs, owner);
  }
  for (const [token, { enum: values = [] }] of Object.entries(types)) {
    const container = addOwner("type", token);
    for (const { name, value } of values) {
      const promised = { name: `${value}`, type: `${name ?? value}`, container };
      promises.set(keyOf("value", promised.name, container), promised);
    }
  }
  return promises;
}

const keyOf = (kind: string, name: string, owner?: string): string =>
  `${kind} \`${name}\`${owner === undefined ? "" : ` of ${owner}`}`;

/** The members of an object, or of the entries of a list or map of objects. */
function membersOf(
  { $ref = "", items, additionalProperties }: Type,
  types: NonNullable<PackageSchema["types"]>,
): Members {
  const inner = items ?? additionalProperties;
  return inner ? membersOf(inner, types) : (types[$ref.replace("#/types/", "")] ?? {});
}

function textOfType({ type, $ref, items, additionalProperties, oneOf }: Type): string {
  if (oneOf) return oneOf.map(textOfType).join(" or ");
  if (items) return `a list of ${textOfType(items)}`;
  if (additionalProperties) return `a map of ${textOfType(additionalProperties)}`;
  return $ref ? shortName($ref) : `${type}`;
}

const shortName = (token: string) => token.split(/[:/]/).at(-1) ?? token;
