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

interface Promises {
  /** The type of everything that has a name, by that name. */
  readonly types: Map<string, string>;
  /** Arguments that must be given, and outputs that are always there. */
  readonly required: Set<string>;
}

/** The changes that an existing program may not survive, each with the name that users know. */
export function breakingChanges(before: PackageSchema, after: PackageSchema): { name: string; what: string }[] {
  const [old, now] = [promisesOf(before), promisesOf(after)];
  const changes = [...old.types].flatMap(([key, type]) => {
    const changed = now.types.get(key);
    if (changed === undefined) return now.types.has(containerOf(key)) ? [[key, "is gone"]] : [];
    if (changed !== type) return [[key, `was ${type} and is ${changed}`]];
    return old.required.has(key) && key.startsWith("output") && !now.required.has(key) ? [[key, "may be absent"]] : [];
  });
  const demands = [...now.required]
    .filter((key) => key.startsWith("argument") && !old.required.has(key) && old.types.has(containerOf(key)))
    .map((key) => [key, "is required"]);
  return [...changes, ...demands].map(([key = "", what]) => ({
    name: /`(.+?)`/.exec(key)?.[1] ?? "",
    what: `the ${key} ${what}`,
  }));
}

/** The object with members, or the resource, function or type, that a name belongs to. */
function containerOf(key: string): string {
  const [, outer] = /^(?!value )[^`]*`([^`]+)\.\w+`/.exec(key) ?? [];
  if (!key.includes(" of ")) return PACKAGE;
  return outer === undefined ? key.slice(key.indexOf(" of ") + " of ".length) : key.replace(/`[^`]+`/, `\`${outer}\``);
}

function promisesOf({
  config = {},
  resources = {},
  functions = {},
  types = {},
  language = {},
}: PackageSchema): Promises {
  const promises: Promises = { types: new Map([[PACKAGE, "a package"]]), required: new Set() };
  const add = (kind: string, owner: string, { properties = {}, required = [] }: Members, prefix = ""): void => {
    for (const [name, type] of Object.entries(properties)) {
      const key = `${kind} \`${prefix}${name}\`${owner}`;
      promises.types.set(key, textOfType(type));
      if (required.includes(name)) promises.required.add(key);
      add(kind, owner, membersOf(type, types), `${prefix}${name}.`);
    }
  };
  add("setting", "", { properties: config.variables });
  for (const [name, { packageName, importBasePath }] of Object.entries<Package>(language)) {
    promises.types.set(`package for \`${name}\``, `${packageName ?? importBasePath}`);
  }
  for (const [token, { inputProperties, requiredInputs, ...outputs }] of Object.entries(resources)) {
    const owner = `resource \`${shortName(token)}\``;
    promises.types.set(owner, "a resource");
    add("argument", ` of ${owner}`, { properties: inputProperties, required: requiredInputs });
    add("output", ` of ${owner}`, outputs);
  }
  for (const [token, { inputs = {}, outputs = {} }] of Object.entries(functions)) {
    const owner = `function \`${shortName(token)}\``;
    promises.types.set(owner, "a function");
    add("argument", ` of ${owner}`, inputs);
    add("output", ` of ${owner}`, outputs);
  }
  for (const [token, { enum: values = [] }] of Object.entries(types)) {
    const key = `type \`${shortName(token)}\``;
    promises.types.set(key, "a type");
    for (const { name, value } of values) promises.types.set(`value \`${value}\` of ${key}`, `${name ?? value}`);
  }
  return promises;
}

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
