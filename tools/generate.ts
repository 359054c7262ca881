// Generates types, reference pages and the list of resource types from the field tables. Part of
// the build; `--check` only compares.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fieldPathsOf, leavesOf } from "../provider/fields";
import { isReferenceName } from "../provider/names";
import { classFile, functionsFile, withProviderExamples } from "./generate/classes";
import { mainEntry, nativeEntry, runtimeEntry } from "./generate/entries";
import { packageSchema } from "./generate/package-schema";
import { pagesWithOptions, pagesWithVersion } from "./generate/page-parts";
import { policiesPage, policiesReadme, policySettings } from "./generate/policies-page";
import { programTables, secretMembers } from "./generate/program-tables";
import {
  adoptionGuide,
  functionPage,
  limitsPage,
  packageReadme,
  providerPage,
  referenceIndex,
  resourcePage,
  settingsPage,
} from "./generate/reference-pages";
import { allFunctions, allResources, type FileText, isCreatable } from "./generate/tables";
import { templateFiles } from "./generate/templates";
import { NOTE, providerArgs } from "./generate/types";
import { root, textOf } from "./support/repository";

export async function main(): Promise<void> {
  // CI builds committed files, so an outdated generated file is an error there.
  const mayWrite = !process.argv.includes("--check") && !process.env.CI;
  const stale = (await generatedFiles()).filter(([path, text]) => {
    const formatted = /\.(ts|json)$/.test(path) ? format(path, text) : text;
    if (existsSync(join(root, path)) && textOf(path) === formatted) return false;
    if (mayWrite) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), formatted);
    }
    return true;
  });
  for (const [path] of stale)
    console.log(
      mayWrite
        ? `Updated ${path}`
        : `Out of date: ${path}. Run \`npm run build\` and commit the result.`,
    );
  if (!mayWrite && stale.length > 0) process.exitCode = 1;
}

async function generatedFiles(): Promise<readonly FileText[]> {
  return [
    ["provider/sdk/generated/provider-args.ts", providerArgs()],
    ["provider/sdk/generated/functions.ts", functionsFile()],
    ["provider/sdk/generated/tables.ts", NOTE + programTables()],
    ["provider/sdk/provider.ts", withProviderExamples()],
    ["provider/index.ts", mainEntry()],
    ["provider/native.ts", nativeEntry()],
    ["provider/runtime.ts", runtimeEntry()],
    ...allResources.flatMap(([name, resource]): FileText[] => [
      [`provider/sdk/generated/${resource.folder}.ts`, classFile(name, resource)],
      [`docs/reference/${name}.md`, resourcePage(name, resource)],
    ]),
    ...allFunctions.map(
      ([name, entry]): FileText => [`docs/reference/${name}.md`, functionPage(name, entry)],
    ),
    ["docs/reference/Provider.md", providerPage()],
    ["docs/reference/README.md", referenceIndex()],
    settingsPage(),
    packageReadme(),
    limitsPage(),
    adoptionGuide(),
    ...pagesWithVersion(),
    ...pagesWithOptions(),
    ...templateFiles(),
    ["facts/resource-table.ts", resourceTable()],
    ["provider/schema.json", JSON.stringify(packageSchema(), undefined, 2)],
    ["docs/policies.md", await policiesPage()],
    policiesReadme(),
    policySettings(),
  ];
}

/** Facts about the resources for packages that do not import their code. */
function resourceTable(): string {
  const rows = Object.fromEntries(
    allResources.map(([name, { definition }]) => {
      const adoptionArgument = definition.create && definition.id;
      const staysWhenDeleted = isCreatable(definition);
      const removesEntries = definition.lifecycle !== undefined || undefined;
      const objectArgument = definition.create ? undefined : definition.id;
      const fieldPaths = fieldPathsOf(definition.fields);
      const unsent = fieldPaths
        .filter(
          ({ name, field }) =>
            !field.inPath && field.sentWith.length === 0 && !isReferenceName(name),
        )
        .map((fieldPath) => fieldPath.name);
      const complete = fieldPaths.filter(({ field }) => field.list?.unmanaged === "remove");
      const lists = Object.fromEntries(
        complete.map(({ name, path, observedPath = path }) => [name, observedPath]),
      );
      const references = leavesOf(definition).map((leaf) => [leaf.name, leaf.twinPath.join(".")]);
      const irreversible = fieldPaths.flatMap((fieldPath) =>
        fieldPath.field.irreversible ? [[fieldPath.name, fieldPath.field.irreversible]] : [],
      );
      const facts = {
        ...{
          name,
          staysWhenDeleted,
          removesEntries,
          adoptionArgument,
          objectArgument,
          secrets: secretMembers(definition),
        },
        ...(references.length > 0 && { references: Object.fromEntries(references) }),
        ...(irreversible.length > 0 && { irreversible: Object.fromEntries(irreversible) }),
        ...(unsent.length > 0 && { unsent }),
        ...(complete.length > 0 && { completeLists: lists }),
      };
      return [name, facts];
    }),
  );
  return `${NOTE}export const resourceTable = ${JSON.stringify(rows)} as const;\n`;
}

function format(path: string, text: string): string {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const target = join(root, path);
  // Formats the text, and sorts imports and exports.
  return execFileSync(
    process.execPath,
    [biome, "check", "--write", `--stdin-file-path=${target}`],
    {
      cwd: root,
      input: text,
      encoding: "utf8",
    },
  );
}
