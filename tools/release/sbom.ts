// The lists of what each package installs and contains, for scanners: CycloneDX, as JSON.
import { randomUUID } from "node:crypto";
import { lastLines, npm, run } from "../support/process";
import { SetupError } from "../support/progress";
import type { Manifest } from "../support/repository";

/** A list that npm has made of a project. */
export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly externalReferences?: readonly { readonly url: string }[];
}

/** The list of everything that is installed in a project. */
export async function sbomOfProject(folder: string): Promise<Sbom> {
  const result = await run(npm, ["sbom", "--sbom-format", "cyclonedx"], { cwd: folder });
  if (result.code !== 0) throw new SetupError(`npm sbom failed; see below.\n${lastLines(result)}`);
  const list: Sbom = JSON.parse(result.stdout);
  return { ...list, components: list.components.map(withoutFiles) };
}

/** A component without the places on this machine that it was installed from. */
function withoutFiles({ externalReferences = [], ...component }: Component): Component {
  return { ...component, externalReferences: externalReferences.filter(({ url }) => !url.startsWith("file:")) };
}

/** The list of a project with the packages that are bundled in one of its packages, which npm does not know. */
export function withBundled(project: Sbom, container: string, bundled: readonly Manifest[]): Sbom {
  const inside = bundled.map((each) => bundledComponent(container, each));
  const refs = inside.map((each) => each["bom-ref"]);
  const { "bom-ref": outside } = componentOf(project, container);
  const dependencies = project.dependencies.map(({ ref, dependsOn }) => ({
    ref,
    dependsOn: ref === outside ? [...dependsOn, ...refs] : dependsOn,
  }));
  return {
    ...project,
    components: [...project.components, ...inside],
    dependencies: [...dependencies, ...refs.map((ref) => ({ ref, dependsOn: [] }))],
  };
}

/** The part of a project's list that one of its packages installs. */
export function sbomOf(project: Sbom, name: string): Sbom {
  const subject = componentOf(project, name);
  const edges = new Map(project.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const needed = new Set([subject["bom-ref"]]);
  for (const ref of needed) for (const next of edges.get(ref) ?? []) needed.add(next);
  const isNeeded = (ref: string) => needed.has(ref);
  return {
    ...project,
    ...own(project, subject),
    components: project.components.filter((each) => each !== subject && isNeeded(each["bom-ref"])),
    dependencies: project.dependencies.filter(({ ref }) => isNeeded(ref)),
  };
}

/** The list of something that is installed by itself and contains all that it needs. */
export function sbomOfBundle(project: Sbom, name: string, version: string, bundled: readonly Manifest[]): Sbom {
  const subject = { "bom-ref": `${name}@${version}`, type: "application", name, version };
  const components = [subject];
  const dependencies = [{ ref: subject["bom-ref"], dependsOn: [] }];
  const { components: all, ...rest } = withBundled({ ...project, components, dependencies }, name, bundled);
  return { ...rest, ...own(project, subject), components: all.slice(1) };
}

function own({ metadata }: Sbom, component: Component) {
  return { serialNumber: `urn:uuid:${randomUUID()}`, metadata: { ...metadata, component } };
}

function componentOf({ components }: Sbom, name: string): Component {
  const found = components.find((component) => component.name === name);
  if (found === undefined) throw new Error(`The list of the installed packages lacks ${name}`);
  return found;
}

/** Apart from the same package outside of the bundle, whose version may be another one. */
function bundledComponent(container: string, { name, version, license }: Manifest) {
  return {
    "bom-ref": `${container}/${name}@${version}`,
    type: "library",
    name,
    version,
    licenses: [{ expression: license }],
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    // npm's name for it.
    properties: [{ name: "cdx:npm:package:bundled", value: "true" }],
  };
}
